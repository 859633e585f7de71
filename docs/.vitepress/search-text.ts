import type { DefaultTheme } from 'vitepress'
import { withoutMarks } from '../build/marks.ts'

/** The HTML of a page for the search, which drops all tags. Code stays plain: its colours took most of the time. */
export const searchText: NonNullable<DefaultTheme.LocalSearchOptions['_render']> = (source, env, md) => {
  const { highlight } = md.options
  md.set({ highlight: plain })
  const html = md.render(withoutMarks(source), env)
  md.set({ highlight: highlight ?? null })
  return html
}

function plain(code: string): string {
  return `<pre><code>${code.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</code></pre>`
}
