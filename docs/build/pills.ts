import { aspectOf, type Basis, type Mark, type Questions } from './marks.ts'

/** Where a question is explained, seen from a page at the top of the site. */
function questionLink(id: string): string {
  return `open-questions.html#${id}`
}

/** Markdown that names the assumptions among `marks`, one link per question; the style sheet makes them pills. */
export function pills(marks: Mark[], questions: Questions): string {
  const byQuestion = Map.groupBy(marks, ({ question }) => question)
  return [...byQuestion].map(([id, group]) => pill(id, aspects(group), questions)).join(' ')
}

/** One such link, saying which `aspect` of a statement is assumed, the whole of it where none is named. */
export function pill(id: string, aspect: string | undefined, questions: Questions): string {
  const entry = questions[id]
  if (!entry) throw new Error(`the contract is marked with "${id}", which the register does not have`)
  const text = aspect ? `${entry.basis}: ${aspect}` : entry.basis
  return `[${text}](${questionLink(id)} "${entry.basis}: ${entry.question.replaceAll('"', "'")}")`
}

/** A badge of Redoc, for a place without room for a link; its colour names a class of our style sheet. */
export function basisTag(basis: Basis | undefined): { name: string; color: string } {
  return { name: basis ?? 'assumed', color: `basis-${basis}` }
}

function aspects(marks: Mark[]): string | undefined {
  const named = new Set(marks.map(aspectOf))
  return named.has(undefined) ? undefined : [...named].join(', ')
}
