import type { MarkdownOptions } from 'vitepress'
import { drawMarks, withLegend } from '../build/marks.ts'
import { labelAnchors } from './anchor-labels.ts'
import { site } from './site-data.ts'

/** How pages become HTML. */
export const markdown: MarkdownOptions = {
  theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  // By default, Shiki colours no more of a line after half a second, which the first one may
  // take.
  codeTransformers: [
    {
      preprocess(_, options) {
        options.tokenizeTimeLimit = 0
      },
    },
  ],
  config: (markdownIt) => {
    const { core, renderer } = markdownIt
    labelAnchors(markdownIt)
    const { code_inline: code } = renderer.rules
    renderer.rules.code_inline = (...args) => breakable(code?.(...args) ?? '')
    core.ruler.before('normalize', 'marks', (state) => {
      const { relativePath } = state.env as { relativePath: string }
      state.src = drawMarks(withLegend(state.src, relativePath), site.assumptions)
    })
  },
}

/** Lets the names in code break between their words, and an option not after its first hyphens. */
function breakable(html: string): string {
  const inWords = html.replaceAll(/[_.](?=\w)|[a-z](?=[A-Z])|\/(?=\w)(?!code>)/g, '$&<wbr>')
  return inWords.replaceAll(/(?<![\w-])--?\w+/g, '<span class="option">$&</span>')
}
