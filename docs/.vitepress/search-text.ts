import type { DefaultTheme, Plugin } from 'vitepress'
import { withoutMarks } from '../build/marks.ts'

/**
 * The HTML of a page for the search, which drops all tags. Code stays plain: its colours took most of the time. Pages of
 * operations and events leave their examples and fields to the page of all fields, and what events share to their index.
 * The versions of the changelog are left out.
 */
export const searchText: NonNullable<DefaultTheme.LocalSearchOptions['_render']> = (source, env, md) => {
  const { highlight } = md.options
  md.set({ highlight: plain })
  const isMade = /^(operations\/|events\/|changelog)/.test(env.relativePath)
  const [own = ''] = source.split(/^## (?:Order and retries|Unreleased|\d)/m)
  const text = isMade ? own.replaceAll(/^( *)```.*?^\1```$|^- \[`.*?(?=^\S)|:::+.*$/gms, '') : source
  const html = md.render(withoutMarks(text), env)
  md.set({ highlight: highlight ?? null })
  const { keywords = '' } = env.frontmatter ?? {}
  // At the end of the first section, where the excerpt does not show them.
  return html.replace(/(?=<h[23])|$/, `<p>${keywords}</p>`)
}

function plain(code: string): string {
  return `<pre><code>${code.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</code></pre>`
}

/** How many characters of a section the search shows below its title. */
const EXCERPT = 150

/** Shortens the texts that the index of the search keeps to excerpts. */
export function shortenExcerpts(): Plugin {
  return {
    name: 'shorten-excerpts',
    transform(code, id) {
      if (!/@localSearchIndex\w/.test(id)) return undefined
      const index = JSON.parse(JSON.parse(code.replace(/^export default /, '')))
      for (const stored of Object.values<{ text: string }>(index.storedFields ?? {}))
        stored.text = excerptOf(stored.text)
      return `export default ${JSON.stringify(JSON.stringify(index))}`
    },
  }
}

function excerptOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= EXCERPT ? line : `${line.slice(0, EXCERPT).replace(/&?[^ ]*$/, '')}…`
}
