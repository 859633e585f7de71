import type { Questions } from './marks.ts'
import { escapeHtml } from './page.ts'

/** The badge of an assumption, which leads to its open question. Throws where there is no such question. */
export function answerBadge(id: string, questions: Questions, root: string): string {
  const entry = questions[id]
  if (!entry) throw new Error(`the register of open questions has no "${id}"`)
  const title = escapeHtml(`${entry.basis}: ${entry.question}`)
  return `<a class="answer" href="${root}open-questions.html#${id}" title="${title}">${entry.basis}</a>`
}
