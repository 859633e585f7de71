import { below, nodeOf, withValueAt } from '../model/document.ts'
import type { Exchange, Input } from '../model/exchange.ts'
import { evaluated, isExpression } from '../model/expressions.ts'
import type { Link } from '../model/links.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { ParameterView } from '../model/parameter-views.ts'
import { scalarString } from './serialize-parameter.ts'

/** Why a case is masked whose link leads nowhere. */
export const LINK_VALUE_MISSING = 'the answer has nothing for what the link takes of it'
/** Why a case is masked whose link gives what no request may have: the contract says two things about the value. */
export const LINK_VALUE_INVALID = 'what the link takes of the answer breaks the schema of the parameter'

/** What a link gives to a request: the rest is up to who makes it. */
export interface LinkValues extends Pick<Input, 'path' | 'query' | 'headers' | 'cookies'> {
  /** A body with what the link puts there. */
  readonly into: (body: unknown) => unknown
  /** Whether each parameter allows its value. */
  readonly isAllowed: boolean
}

/**
 * What a link takes of an answer, for a request of the operation that it leads to (OpenAPI 3.1, "Link Object");
 * undefined where the answer lacks a part of it, as the last page has no next one.
 */
export function linkValues(view: OperationView, link: Link, exchange: Exchange): LinkValues | undefined {
  const parameters = Object.entries(link.parameters).map(([name, it]) => {
    const at = placeOf(view, name)
    return at && { ...at, text: safeText(at.in, evaluated(it, exchange)) }
  })
  const body = bodyOf(link, exchange)
  if (!body || parameters.some((it) => it?.text === undefined)) return undefined
  const those = (place: string) =>
    Object.fromEntries(parameters.flatMap((it) => (it?.in === place ? [[it.name, it.text ?? '']] : [])))
  return {
    path: those('path'),
    query: those('query'),
    headers: those('header'),
    cookies: those('cookie'),
    into: body.into,
    isAllowed: parameters.every((it) => it?.text === undefined || it.allows(it.text)),
  }
}

/** The parameter that a link names, alone or with its place: path.id. */
function placeOf({ parameters }: OperationView, named: string): ParameterView | undefined {
  const [, place, name] = /^(path|query|header|cookie)\.(.+)$/.exec(named) ?? []
  return (
    parameters.find((it) => it.name === named) ?? parameters.find((it) => it.in === place && it.name === name)
  )
}

/** An empty name in a path, or one of dots, would lead to another place: to all records perhaps. */
function safeText(place: string, value: unknown): string | undefined {
  const text = scalarString(value)
  return place === 'path' && ['', '.', '..'].includes(text ?? '') ? undefined : text
}

function bodyOf({ body }: Link, exchange: Exchange): Pick<LinkValues, 'into'> | undefined {
  if (isExpression(body)) {
    const whole = evaluated(body, exchange)
    return isPresent(whole) ? { into: () => whole } : undefined
  }
  const members = Object.entries(nodeOf(body)).map(
    ([name, it]) => [below('', name), evaluated(it, exchange)] as const,
  )
  if (!members.every(([, value]) => isPresent(value))) return undefined
  return { into: (shown) => members.reduce((made, [at, value]) => withValueAt(made, at, value), shown) }
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}
