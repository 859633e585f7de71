import { pointerOf } from '@partner-payments/contract'
import type { Behaviour, Lifetime, List, OneTimeValue } from '../../dist/behaviour.d.ts'
import { didYouMean } from '../suggest.ts'
import { entries, readOperationId } from './entries.ts'
import { type Context, expectEnumValue, expectPlace, expectRefusal } from './expectations.ts'

type Copy = NonNullable<Behaviour['copies']>[string]

/**
 * Checks that the contract has what an entry of `lists` names: the items, the next page and the
 * filtered fields in the response of the operation `id`, and its parameters. A place in the contract
 * is written as `listUsers#/data/0/status`: the operation, and the pointer of a field, here of the
 * first item.
 */
export function checkList(context: Context, list: List, id: string): void {
  const { items, pages, filters } = list
  // Where a fault is reported.
  const at = `/lists/${id}`
  expectPlace(context, `${id}#${items}`, `${at}/items`, 'response')
  if (pages) expectPlace(context, `${id}#${pages.next}`, `${at}/pages/next`, 'response')

  checkListParameters(context, list, id)

  for (const [name, { field }] of entries(filters))
    expectPlace(context, `${id}#${items}/0${field}`, `${at}/filters/${name}`, 'response')
}

/**
 * Reports parameters that the pages and filters of a list name and its operation does not have, and
 * query parameters of the operation that no filter names.
 *
 * @param id The id of the operation.
 */
function checkListParameters({ operations, report }: Context, list: List, id: string): void {
  const parameters = operations.get(id)?.parameters ?? []
  const named = namedParameters(list)
  const unknown = named.filter(({ name }) => !parameters.includes(name))
  for (const { name, step } of unknown) {
    const next = didYouMean(name, parameters, '; add it to the operation.')
    report(`/lists/${id}${step}`, `${id} has no parameter "${name}"${next}`)
  }
  // If a name is misspelt, the parameter that it means seems to have no filter.
  if (unknown.length > 0) return

  const unnamed = parameters.filter((parameter) => !named.some(({ name }) => name === parameter))
  for (const name of unnamed) {
    const message = `No filter has the parameter "${name}" of ${id}; add it to "filters".`
    report(`/lists/${id}/filters`, message)
  }
}

/** The parameters that the pages and filters of a list name, and where in the list. */
function namedParameters({ pages, filters }: List) {
  const named: { readonly name: string; readonly step: string }[] = []
  if (pages?.cursor) named.push({ name: pages.cursor, step: '/pages/cursor' })
  if (pages?.limit) named.push({ name: pages.limit, step: '/pages/limit' })
  for (const [name] of entries(filters)) named.push({ name, step: `/filters/${name}` })
  return named
}

/**
 * Reports fields and refusals of a one-time value that the contract does not have. Such a value, like
 * an `initiation_id`, comes from a response (`from: ['checkKey#/initiation_id']`), and a request uses
 * it up (`to: 'createTransfer#/initiation_id'`). Each other use has its refusal, such as `expired`.
 *
 * @param at Where the value stands in spec/behaviour.
 */
export function checkOneTimeValue(context: Context, value: OneTimeValue, at: string): void {
  const { from, to, boundTo = [] } = value
  for (const [index, place] of from.entries())
    expectPlace(context, place, `${at}/from/${index}`, 'response')
  expectPlace(context, to, `${at}/to`, 'request')

  for (const key of ['used', 'expired', 'unissued', 'unbound'] as const)
    expectRefusal(context, readOperationId(to), value[key]?.refusal, `${at}/${key}/refusal`)

  // `boundTo: ['caller', '/dict_key']`: it works only with the key of the request that gave it.
  for (const [index, field] of boundTo.entries()) {
    // Whether the caller is the same follows from the token, not from a field.
    if (field === 'caller') continue
    for (const place of [...from, to])
      expectPlace(
        context,
        `${readOperationId(place)}#${field}`,
        `${at}/boundTo/${index}`,
        'request',
      )
  }
}

/**
 * Reports fields of a lifetime that the contract does not have: those that stop working after a time
 * (`of: ['signIn#/access_token']`), and the one beside each that says when
 * (`expires: { field: '/expiration' }`).
 *
 * @param at Where the lifetime stands in spec/behaviour.
 */
export function checkLifetime(
  context: Context,
  { of: places, expires }: Lifetime,
  at: string,
): void {
  for (const [index, place] of places.entries()) {
    expectPlace(context, place, `${at}/of/${index}`, 'response')
    const expirationField = `${readOperationId(place)}#${expires.field}`
    expectPlace(context, expirationField, `${at}/of/${index}`, 'response')
  }
}

/**
 * Reports fields and values of a copy that the contract does not have. With
 * `{ from: ['checkCode'], to: 'createTransfer', fields: { '/tx_id': '/data/tx_id' } }`, the response of
 * the transfer repeats a field of the check. `sent` names fields of the earlier request instead, and
 * `always` values that the response always has.
 *
 * @param at Where the copy stands in spec/behaviour.
 */
export function checkCopy(context: Context, copy: Copy, at: string): void {
  const { to, sent, fields, always } = copy
  checkCopiedValues(context, copy, at)
  checkCopiedFields(context, copy, { side: 'request', pointers: sent, at: `${at}/sent` })
  checkCopiedFields(context, copy, { side: 'response', pointers: fields, at: `${at}/fields` })
  for (const target of Object.keys(always ?? {}))
    expectPlace(context, `${to}#${target}`, pointerOf(`${at}/always`, target), 'response')
}

/**
 * Reports values of a copy that the enum of their field does not have. With
 * `values: { Static: 'QRES' }`, the copy shows `QRES` where the source has `Static`.
 */
function checkCopiedValues(context: Context, copy: Copy, at: string): void {
  const { from, to, sent, fields, values, always } = copy
  const views = from.map((id) => context.operations.get(id))
  const requests = views.map((view) => view?.request)
  const responses = views.map((view) => view?.response)
  const target = context.operations.get(to)?.response

  for (const [value, copiedValue] of entries(values)) {
    const place = pointerOf(`${at}/values`, value)
    for (const [field, copiedField] of entries(sent)) {
      expectEnumValue(context, requests, { pointer: field, value }, place)
      expectEnumValue(context, [target], { pointer: copiedField, value: copiedValue }, place)
    }
    for (const [field, copiedField] of entries(fields)) {
      expectEnumValue(context, responses, { pointer: field, value }, place)
      expectEnumValue(context, [target], { pointer: copiedField, value: copiedValue }, place)
    }
  }

  for (const [pointer, value] of entries(always))
    expectEnumValue(context, [target], { pointer, value }, pointerOf(`${at}/always`, pointer))
}

/** Fields of requests or responses by their pointers, with those that they become. */
interface CopiedFields {
  readonly side: 'request' | 'response'
  readonly pointers: Readonly<Record<string, string>> | undefined
  readonly at: string
}

/**
 * Reports copied fields that an operation of `from` does not have on that side, or that the
 * response of `to` does not repeat.
 */
function checkCopiedFields(
  context: Context,
  { from, to }: Copy,
  { side, pointers, at }: CopiedFields,
): void {
  for (const [source, target] of entries(pointers)) {
    const place = pointerOf(at, source)
    for (const id of from) expectPlace(context, `${id}#${source}`, place, side)
    expectPlace(context, `${to}#${target}`, place, 'response')
  }
}
