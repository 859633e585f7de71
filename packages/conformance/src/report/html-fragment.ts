import { oneLine } from './text.ts'

/** The id of an element, which a link leads to: of a law, of a finding. Whatever it is made of, it needs no escaping. */
export function fragmentOf(kind: 'law' | 'finding', id: string): string {
  return `${kind}-${oneLine(id).replace(/[^\w:.-]+/g, '-')}`
}
