import { h } from './element.ts'

/** Marks an assumption, so that nobody takes it for known behaviour of the service. */
export function basis(question: string | null | undefined, subject = 'The rule is'): HTMLElement {
  if (!question) {
    const title = `${subject} stated by the document that describes the service.`
    return h('span', { class: 'basis', 'data-basis': 'fact', title }, 'fact')
  }
  const title = `${subject} an assumption on an open question. The service may do otherwise.`
  return h('span', { class: 'basis', 'data-basis': 'assumed', title }, `assumed: ${question}`)
}
