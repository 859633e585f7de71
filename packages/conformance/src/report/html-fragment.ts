import { oneLine } from './text.ts'

/** The id of an element, which a link leads to: of a rule, of a finding. Whatever it is made of, it needs no escaping. */
export function fragmentOf(kind: 'rule' | 'finding', id: string): string {
  return `${kind}-${oneLine(id).replace(/[^\w:.-]+/g, '-')}`
}
