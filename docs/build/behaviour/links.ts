import type { Behaviour } from '@partner-payments/spec/behaviour'
import { isNode } from '../contract.ts'
import { escapeHtml } from '../page.ts'

/** Links to the resources and errors whose rules rest on each open question, by its id. */
export function behaviourLinks({ resources = {}, refusals = {} }: Behaviour): Map<string, string[]> {
  const links = [
    ...Object.entries(resources).map(([name, it]) => ({ it, html: link(`${name}.html`, it.title) })),
    ...Object.entries(refusals).map(([code, it]) => ({ it, html: link(`errors.html#${code}`, code) })),
  ]
  const uses = links.flatMap(({ it, html }) => [...questionsIn(it)].map((question) => ({ question, html })))
  const grouped = Map.groupBy(uses, ({ question }) => question)
  return new Map([...grouped].map(([question, all]) => [question, all.map(({ html }) => html)]))
}

function link(page: string, text: string): string {
  return `<a href="behaviour/${page}">${escapeHtml(text)}</a>`
}

function questionsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (isNode(value) && typeof value.question === 'string') found.add(value.question)
  const children = Array.isArray(value) ? value : isNode(value) ? Object.values(value) : []
  for (const child of children) questionsIn(child, found)
  return found
}
