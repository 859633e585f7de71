import { isDeepStrictEqual } from 'node:util'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import { stepsOf } from '@partner-payments/validator'
import type { JudgedRun, Rule } from '../../engine/rule.ts'
import type { Judgement } from '../../engine/violation.ts'
import { isAbsent } from '../../model/absent-values.ts'
import type { Contract } from '../../model/contract.ts'
import { below, nodeOf, valueAt } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { walk } from '../../model/schema-walk.ts'
import { scaledDecimal } from '../common/decimal.ts'

type Invariant = NonNullable<Behaviour['invariants']>[string]

/** Judges the fields of one response by the invariants of spec/behaviour. */
export const invariants: Rule = {
  id: 'invariants',
  phase: 'responses',
  cites: 'contract',
  // A mock combines values of the request with those of its examples.
  stateful: true,
  impact: 'high',
  title: 'The fields of a response agree with each other as the contract declares.',
  advice: 'Build all fields of the response from one record, or change the invariant in spec/behaviour.',
  judgeResponse: (exchange, contract, run) => {
    const { view, response, body } = exchange
    if (!run || !view || !isSuccess(exchange)) return undefined
    const declared = contract.document.follow(below(view.pointer, 'responses', String(response.status)))
    const judged = Object.keys(nodeOf(declared.node.content)).flatMap((type) =>
      invariantsIn(body, below(declared.pointer, 'content', type, 'schema'), { exchange, contract, run }),
    )
    return judged.length > 0 ? judged : undefined
  },
}

interface Message {
  /** The request that caused it. */
  readonly exchange: Exchange
  readonly contract: Contract
  readonly run: Pick<JudgedRun, 'behaviour' | 'memory' | 'checks'>
}

/** Judges a body by the declared invariants of its schemas. */
export function invariantsIn(body: unknown, schema: string, { run, ...message }: Message): Judgement[] {
  const shown = valuesBySchema(body, schema, message.contract)
  return Object.entries(run.behaviour.invariants ?? {}).flatMap(([name, it]) =>
    it.of.flatMap((schema) =>
      (shown.get(schema) ?? []).flatMap((value) =>
        judge(name, it, { name, value, schema, ...message, ...run }),
      ),
    ),
  )
}

const SCHEMAS = '/components/schemas/'

/** The values of a body, by the names of the schemas that describe them. */
function valuesBySchema(body: unknown, schema: string, { document }: Contract): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>()
  if (body === undefined) return found
  walk(document, schema, body, (pointer, value) => {
    const name = pointer.startsWith(SCHEMAS) ? pointer.slice(SCHEMAS.length) : ''
    if (!name || name.includes('/')) return
    const values = found.get(name)
    if (values) values.push(value)
    else found.set(name, [value])
  })
  return found
}

type Place = Pick<Judgement, 'operation' | 'contract'>

interface Shown {
  readonly name: string
  readonly value: unknown
  readonly schema: string
  readonly exchange: Exchange
  readonly contract: Contract
  readonly memory: JudgedRun['memory']
  readonly behaviour: Behaviour
  readonly checks: JudgedRun['checks']
}

/** Returns nothing if a field is missing: its schema says whether it is required. */
function judge(name: string, invariant: Invariant, shown: Shown): Judgement[] {
  const { exchange } = shown
  const fault = faultIn(invariant, shown)
  if (fault === MISSING) return []
  const place = { operation: exchange.view?.id, contract: placeOf(invariant, shown) }
  const message = fault && `${invariant.says.replace(/\.$/, '')}; but ${fault}.`
  const { question } = invariant
  return [{ ...place, message, question, about: name }, ...absentJudgements(invariant, shown, place)]
}

/** Judges what stands in place of a value that is absent. */
function absentJudgements({ filledWhen }: Invariant, { name, value, behaviour }: Shown, place: Place) {
  const { question } = behaviour.conventions?.absentValues ?? {}
  const text = filledWhen && valueAt(value, filledWhen.field)
  if (question === undefined || typeof text !== 'string' || !isAbsent(text)) return []
  const message =
    text === ''
      ? undefined
      : `${filledWhen?.field} has no value, and is ${JSON.stringify(text)}; expected "".`
  return [{ ...place, message, question, about: `${name} absent` }]
}

/** The first property of the invariant, or the schema if that combines others. */
function placeOf(
  { equal, sum, notBefore, filledWhen, formOf, unique, named }: Invariant,
  { schema, contract }: Shown,
): string {
  const pointers = [
    equal?.[0],
    sum?.total,
    notBefore?.at(-1),
    filledWhen?.field,
    formOf?.field,
    unique?.[0],
    ...Object.values(named?.fields ?? {}),
  ]
  const [pointer = ''] = pointers.filter((it) => it !== undefined)
  const property = below(SCHEMAS + schema, ...stepsOf(pointer).flatMap((step) => ['properties', step]))
  return contract.document.at(property) === undefined ? SCHEMAS + schema : property
}

const MISSING = Symbol('a field is missing')

function faultIn(invariant: Invariant, shown: Shown): string | undefined | typeof MISSING {
  const { equal, sum, notBefore, filledWhen, formOf, unique, named } = invariant
  const read = (pointer: string) => valueAt(shown.value, pointer)
  if (equal) return equalFault(equal, read)
  if (sum) return sumFault(sum, read)
  if (notBefore) return orderFault(notBefore, read)
  if (filledWhen) return filledFault(filledWhen, read)
  if (formOf) return formFault(formOf, read)
  if (unique) return uniqueFault(invariant, read, shown)
  return named ? namedFault(named, read, shown) : MISSING
}

type Read = (pointer: string) => unknown

function equalFault([first = '', ...others]: readonly string[], read: Read) {
  const other = others.find((pointer) => !isDeepStrictEqual(read(pointer), read(first)))
  return other && `${first} is ${JSON.stringify(read(first))} and ${other} is ${JSON.stringify(read(other))}`
}

function sumFault({ total, plus, minus }: NonNullable<Invariant['sum']>, read: Read) {
  const parts = [...plus.map((it) => ({ it, sign: 1n })), ...minus.map((it) => ({ it, sign: -1n }))]
  const amounts = parts.map(({ it, sign }) => {
    const amount = scaledDecimal(read(it) ?? '0')
    return amount === undefined ? undefined : amount * sign
  })
  const shown = scaledDecimal(read(total))
  if (shown === undefined || amounts.some((it) => it === undefined)) return MISSING
  const expected = amounts.reduce<bigint>((all, it) => all + (it ?? 0n), 0n)
  return expected === shown ? undefined : `${total} is ${read(total)}, expected the sum of its parts`
}

function orderFault(pointers: readonly string[], read: Read) {
  const times = pointers.map((it) => Date.parse(String(read(it))))
  if (times.some(Number.isNaN)) return MISSING
  const late = times.findIndex((time, i) => time < (times[i - 1] ?? time))
  return late < 0 ? undefined : `${pointers[late]} is before ${pointers[late - 1]}`
}

function filledFault({ field, is }: NonNullable<Invariant['filledWhen']>, read: Read) {
  const [[other = '', values = []] = []] = Object.entries(is)
  if (read(field) === undefined || read(other) === undefined) return MISSING
  const isFilled = !isAbsent(read(field))
  if (isFilled === values.includes(read(other))) return undefined
  return `${field} is ${isFilled ? 'filled' : 'empty'} where ${other} is ${JSON.stringify(read(other))}`
}

function formFault({ field, of, forms }: NonNullable<Invariant['formOf']>, read: Read) {
  const [name] = Object.entries(forms).find(([, pattern]) => new RegExp(pattern).test(String(read(of)))) ?? []
  if (name === undefined || read(field) === undefined || read(of) === undefined) return MISSING
  return String(read(field)) === name
    ? undefined
    : `${field} is ${JSON.stringify(read(field))}, expected ${name}`
}

/** Compares with the values of records in earlier responses, by the id of their record. */
function uniqueFault({ unique = [], by = '/id' }: Invariant, read: Read, { name, memory }: Shown) {
  const values = unique.map(read)
  const id = read(by)
  if (id === undefined || values.includes(undefined)) return MISSING
  const key = `${name} ${JSON.stringify(values)}`
  const known = memory.get(key)
  if (known === undefined && memory.size < MAX_REMEMBERED) memory.set(key, id)
  return known === undefined || known === id
    ? undefined
    : `two values of ${by} have ${JSON.stringify(values)}`
}

const MAX_REMEMBERED = 100_000

function namedFault(
  { check, fields }: NonNullable<Invariant['named']>,
  read: Read,
  { name, exchange, memory, checks }: Shown,
) {
  const values = Object.fromEntries(Object.entries(fields).map(([name, pointer]) => [name, read(pointer)]))
  if (Object.values(values).includes(undefined)) return MISSING
  const named = checks[check]
  if (!named) throw new Error(`spec/behaviour names the check "${check}", which does not exist`)
  const key = `${name} ${exchange.view?.id}`
  const count = Number(memory.get(key) ?? 0)
  if (count >= (named.maxResponses ?? Number.POSITIVE_INFINITY)) return MISSING
  memory.set(key, count + 1)
  // A record that is only read may be older than the run.
  return named.run({ fields: values, at: exchange.view?.method === 'GET' ? undefined : exchange.at })
}
