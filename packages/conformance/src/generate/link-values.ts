import { below, nodeOf, withValueAt } from '../model/document.ts'
import type { Exchange, Input } from '../model/exchange.ts'
import { evaluated, isExpression } from '../model/expressions.ts'
import type { Link } from '../model/links.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { ParameterView } from '../model/parameter-views.ts'
import { scalarText } from './parameter-cases.ts'

export const LINK_VALUE_MISSING = 'the response lacks a value that the link needs'
/** The contract contradicts itself: the link yields a value that the schema of the parameter refuses. */
export const LINK_VALUE_INVALID = 'the value from the link breaks the schema of the parameter'

/** The parts of a request that a link supplies. */
export interface LinkValues extends Pick<Input, 'path' | 'query' | 'headers'> {
  /** Sets the linked fields in a body. */
  readonly into: (body: unknown) => unknown
  /** Whether the schema of each parameter allows its value. */
  readonly isAllowed: boolean
}

/**
 * Evaluates a link for a request of its target operation (OpenAPI 3.1, "Link Object"). Undefined if the response
 * lacks a value, as the last page lacks a cursor.
 */
export function linkValues(view: OperationView, link: Link, exchange: Exchange): LinkValues | undefined {
  const parameters = Object.entries(link.parameters).map(([name, it]) => {
    const at = placeOf(view, name)
    return at && { ...at, text: safeText(at.in, evaluated(it, exchange)) }
  })
  const body = bodyOf(link, exchange)
  if (!body || parameters.some((it) => it?.text === undefined)) return undefined
  const valuesIn = (place: string) =>
    Object.fromEntries(parameters.flatMap((it) => (it?.in === place ? [[it.name, it.text ?? '']] : [])))
  return {
    path: valuesIn('path'),
    query: valuesIn('query'),
    headers: valuesIn('header'),
    into: body.into,
    isAllowed: parameters.every((it) => it?.text === undefined || it.isValid(it.text)),
  }
}

/** A link names a parameter alone, or with its location: `path.id`. */
function placeOf({ parameters }: OperationView, named: string): ParameterView | undefined {
  const [, place, name] = /^(path|query|header)\.(.+)$/.exec(named) ?? []
  return (
    parameters.find((it) => it.name === named) ?? parameters.find((it) => it.in === place && it.name === name)
  )
}

/** An empty or dot segment would change the path, perhaps to the list of all records. */
function safeText(place: string, value: unknown): string | undefined {
  const text = scalarText(value)
  return place === 'path' && ['', '.', '..'].includes(text ?? '') ? undefined : text
}

function bodyOf({ body }: Link, exchange: Exchange): Pick<LinkValues, 'into'> | undefined {
  if (isExpression(body)) {
    const value = evaluated(body, exchange)
    return isPresent(value) ? { into: () => value } : undefined
  }
  const fields = Object.entries(nodeOf(body)).map(
    ([name, it]) => [below('', name), evaluated(it, exchange)] as const,
  )
  if (!fields.every(([, value]) => isPresent(value))) return undefined
  return { into: (shown) => fields.reduce((made, [at, value]) => withValueAt(made, at, value), shown) }
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}
