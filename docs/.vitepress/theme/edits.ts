import type { Input, Start } from './try-it.ts'

/** What a form holds: its request, and the identity and example that it was made from. */
export type Edits = Input & Start

/**
 * The name under which this tab of the browser keeps the edits of a form, so that they survive
 * “Back”. A link that names an example starts another form than one that names none.
 */
export function formName(operation: string, { search }: Pick<URL, 'search'>): string {
  return `try-it: ${operation}${search}`
}

export function keepEdits(form: string, edits: Edits): void {
  sessionStorage.setItem(form, JSON.stringify(edits))
}

export function keptEdits(form: string): Edits | undefined {
  const kept = sessionStorage.getItem(form)
  return kept ? JSON.parse(kept) : undefined
}
