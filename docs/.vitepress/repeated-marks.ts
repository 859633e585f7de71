import type { MarkdownOptions } from 'vitepress'
import { FOLDED } from '../build/text.ts'

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0]
type Token = ReturnType<Markdown['parse']>[number]

/** Wraps a mark whose question has one in the same paragraph already, and the space before it, for the style sheet to hide. */
export function wrapRepeatedMarks({ core }: Markdown): void {
  core.ruler.push('repeated_marks', ({ tokens, Token }) => {
    const html = (content: string) => Object.assign(new Token('html_inline', '', 0), { content })
    for (const token of tokens) if (token.children) token.children = wrap(token.children, html)
  })
}

function wrap(children: readonly Token[], html: (content: string) => Token): Token[] {
  const seen = new Set<string>()
  let isOpen = false
  return children.flatMap((token, index) => {
    const next = children[index + 1]
    if (token.type === 'text' && next && isRepeated(next, seen))
      token.content = token.content.replace(/ $/, '')
    if (token.type === 'link_close' && isOpen) {
      isOpen = false
      return [token, html('</span>')]
    }
    const question = questionOf(token)
    if (question === undefined) return [token]
    isOpen = seen.has(question)
    seen.add(question)
    return isOpen ? [html('<span class="repeated-mark">'), token] : [token]
  })
}

function isRepeated(token: Token, seen: ReadonlySet<string>): boolean {
  return seen.has(questionOf(token) ?? '')
}

/** The question that a link marks, unless another mark stands for it, which a reader may not see either. */
function questionOf(token: Token): string | undefined {
  if (token.type !== 'link_open' || token.attrGet('title')?.endsWith(`(${FOLDED})`) !== false)
    return undefined
  return /open-questions\.md#(.+)/.exec(token.attrGet('href') ?? '')?.[1]
}
