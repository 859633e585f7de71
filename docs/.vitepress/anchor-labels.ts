import type { MarkdownRenderer } from 'vitepress'

type Token = Parameters<MarkdownRenderer['renderer']['render']>[0][number]

/**
 * Names the link of each heading by the words of the heading: VitePress takes its source, with the
 * anchor and the backticks.
 */
export function labelAnchors({ core }: MarkdownRenderer): void {
  core.ruler.push('anchor-labels', ({ tokens }) => {
    for (const [index, { type }] of tokens.entries())
      if (type === 'heading_open') labelAnchor(tokens[index + 1]?.children ?? [])
  })
}

function labelAnchor(children: readonly Token[]): void {
  const anchor = children.find((token) => token.attrGet('class') === 'header-anchor')
  anchor?.attrSet('aria-label', `Permalink to “${readText(children)}”`)
}

/** The words of a heading, without its link. */
function readText(children: readonly Token[]): string {
  const words = children.filter(({ type }) => type === 'text' || type === 'code_inline')
  return words
    .map(({ content }) => content)
    .join('')
    .trim()
}
