import type { DefaultTheme, Plugin } from 'vitepress'
import { escaped, withoutMarks } from '../build/marks.ts'

/**
 * The HTML of a page for the search, which drops all tags. Guides and the pages of operations and
 * events leave out their code, and the latter two also leave their fields to the page of all
 * fields, and what events share to their index. The versions of the changelog are left out. Other
 * code stays plain: its colours took most of the time.
 */
export const searchText: NonNullable<DefaultTheme.LocalSearchOptions['_render']> = (
  source,
  env,
  md,
) => {
  const { highlight } = md.options
  md.set({ highlight: plain })
  const html = md.render(withoutMarks(partOf(source, env.relativePath)), env)
  md.set({ highlight: highlight ?? null })
  const { keywords = '' } = env.frontmatter ?? {}
  // At the end of the first section, where the excerpt does not show them.
  return html.replace(/(?=<h[23])|$/, `<p>${keywords}</p>`)
}

function partOf(source: string, path: string): string {
  if (path === 'changelog.md') {
    const [intro = ''] = source.split(/^## (?:Unreleased|\d)/m)
    return intro
  }

  const [folder] = path.split('/')
  if (folder === 'guides') return source.replaceAll(CODE, '')
  if (folder === 'operations' || folder === 'events') {
    const prose = source.replaceAll(CODE, '')
    const [own = ''] = prose.split(/^## Order and retries/m)
    return own.replaceAll(FIELDS_AND_CONTAINERS, '')
  }
  return source
}

const CODE = /^( *)```.*?^\1```$/gms
const FIELDS_AND_CONTAINERS = /^- \[`.*?(?=^\S)|:::+.*$/gms

function plain(code: string): string {
  return `<pre><code>${escaped(code)}</code></pre>`
}

/** How many characters of a section the search shows below its title. */
const EXCERPT = 150

/**
 * Puts an excerpt of each section below its title in the index: the search shows one only where it
 * loads the whole page.
 */
export function addExcerpts(): Plugin {
  return {
    name: 'add-excerpts',
    transform(code, id) {
      if (!/@localSearchIndex\w/.test(id)) return undefined
      const index = JSON.parse(JSON.parse(code.replace(/^export default /, '')))
      for (const stored of Object.values<{ title: string; text?: string }>(
        index.storedFields ?? {},
      )) {
        stored.title += `\n${excerptOf(stored.text ?? '')}`
        delete stored.text
      }
      return `export default ${JSON.stringify(JSON.stringify(index))}`
    },
  }
}

function excerptOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= EXCERPT ? line : `${line.slice(0, EXCERPT).replace(/&?[^ ]*$/, '')}…`
}
