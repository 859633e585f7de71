import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Violation } from '../../engine/violation.ts'
import { parameterBreaks, parameterText } from '../../generate/parameter-cases.ts'
import { type Case, type Change, describeChange, type Json } from '../../generate/schema/index.ts'
import { assumptionsIn, isMeaning } from '../../model/assumptions.ts'
import { below, nodeOf, valueAt, withValueAt } from '../../model/document.ts'
import { type Exchange, type Input, isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import type { ParameterView } from '../../model/parameter-views.ts'
import { withValidRequests } from '../common/valid-requests.ts'
import { isSchemaRefusal } from '../refusals/refusal-kind.ts'
import { citedIfEmpty } from './empty-parameters.ts'
import { sendVariant } from './send-variant.ts'

export const breakRefused: Rule = {
  id: 'break-refused',
  phase: 'invalid requests',
  cites: 'contract',
  title: 'A request that breaks one keyword of its schema is refused, and the refusal names the place.',
  advice: 'Refuse the request with 400 and name the place, or widen the schema of the contract.',
  run: (context) =>
    withValidRequests(context, async (view, valid) => {
      await context.each(
        [
          ...bodyBreaks(context, view, valid),
          ...queryBreaks(context, view, valid),
          ...absentHeaders(context, view, valid),
        ],
        async (it) => judgeInvalid(context, it, await sendInvalid(context, view, it)),
      )
      await context.each(view.queryParameters, (parameter) =>
        expectSingle(context, view, { valid, parameter }),
      )
    }),
}

/** A request with one edit that its schema does not allow. */
interface Invalid {
  readonly valid: Input
  readonly change: Pick<Change, 'contract' | 'keyword' | 'question'>
  readonly words: string
  /** The edited body, and where the edit is. */
  readonly body?: { readonly value: unknown; readonly pointer: string }
  readonly query?: Input['query']
  readonly without?: string
  /** Whether a pointer of the refusal names the place of the edit. */
  readonly isNamed?: (pointer: string) => boolean
}

function sendInvalid(context: Context, view: OperationView, { valid, body, query, without }: Invalid) {
  if (body) return sendVariant(context, view, { valid, body: body.value, pointer: body.pointer })
  return context.send(
    view,
    { ...valid, query: { ...valid.query, ...query } },
    without ? { without: [without] } : {},
  )
}

async function judgeInvalid(context: Context, it: Invalid, exchange: Exchange): Promise<void> {
  const { change, words } = it
  const { contract, keyword, question } = change
  const { status } = exchange.response
  const message = `${words} was accepted (${status}); the contract ${saidOf(change)}.`
  if (status >= 500 || status === 0) context.skipped(exchange)
  else if (isSuccess(exchange))
    context.expect(exchange, message, {
      contract,
      about: keyword,
      question,
      ...(question === undefined && citedIfEmpty(it.query)),
    })
  else if (status !== 400 && status !== 415 && status !== 422) context.inconclusive()
  else {
    context.keywordRefused(contract, keyword, question)
    // A business rule may refuse the request first, and name another field.
    if (await isSchemaRefusal(context, { exchange, valid: it.valid })) expectPlace(context, it, exchange)
  }
}

function saidOf({ keyword }: { keyword: string }): string {
  return keyword === 'required' ? 'requires it' : `does not allow that (${keyword})`
}

/** A refusal names the invalid field. */
function expectPlace({ behaviour, expect }: Context, { isNamed, words }: Invalid, exchange: Exchange): void {
  const question = behaviour.conventions?.refusals?.question
  if (!isNamed) return
  const named = Object.values(nodeOf(nodeOf(exchange.body).errors)).map((it) => String(nodeOf(it).pointer))
  const message = `${words} was refused, and errors names ${named.join(', ') || 'no place'}; expected its place.`
  expect(exchange, named.some(isNamed) ? undefined : message, { question, about: 'pointer' })
}

function bodyBreaks(context: Context, view: OperationView, valid: Input): Invalid[] {
  if (view.bodyPointer === undefined) return []
  const cases = [
    ...context.schemas.breaks(view.bodyPointer, valid.body as Json),
    ...numbers(context, view, valid),
  ]
  return cases.map(({ body, change }) => ({
    valid,
    change,
    words: describeChange(change),
    body: { value: body, pointer: change.pointer },
    ...(change.pointer !== '' && {
      isNamed: (it: string) =>
        isAround(it, change.pointer) || isPlaceInOther(context, view, { body, pointer: change.pointer }, it),
    }),
  }))
}

/** Whether a pointer names the field, its parent or a field inside it, but not the whole body. */
function isAround(named: string, pointer: string): boolean {
  return (
    named === pointer || (named !== '' && pointer.startsWith(`${named}/`)) || named.startsWith(`${pointer}/`)
  )
}

interface Broken {
  readonly body: unknown
  /** Where it breaks its schema. */
  readonly pointer: string
}

/**
 * Whether another alternative of the body allows the edit, and the place that is named breaks that one: no standard says
 * which alternative a service takes for the meant one.
 */
function isPlaceInOther(
  { contract: { document, validator } }: Context,
  { bodyPointer = '' }: OperationView,
  { body, pointer }: Broken,
  named: string,
): boolean {
  const { node, pointer: schema } = document.follow(bodyPointer)
  const alternatives = ['oneOf', 'anyOf'].flatMap((keyword) =>
    Object.keys(nodeOf(node[keyword])).map((i) => below(schema, keyword, i)),
  )
  return alternatives.some((it) => {
    const places = validator.validateValue(it, body).map((found) => found.pointer)
    return places.includes(named) && !places.some((place) => isAround(place, pointer))
  })
}

/** Strings of digits from other examples, as numbers: a lenient service converts them. */
function numbers({ contract }: Context, { bodyPointer, examples }: OperationView, valid: Input): Case[] {
  if (bodyPointer === undefined) return []
  const digits = new Map(examples.flatMap((example) => digitsIn(example)))
  return [...digits].flatMap(([pointer, value]) => {
    if (typeof valueAt(valid.body, pointer) !== 'string') return []
    const body = withValueAt(valid.body, pointer, value) as Json
    const findings = contract.validator.validateValue(bodyPointer, body)
    const note = 'the string as a number'
    return findings.slice(0, 1).map(({ contract, keyword, question }) => ({
      body,
      change: { pointer, contract, keyword, question, note },
    }))
  })
}

/** The strings of a value that look like a number, by their pointers. */
function digitsIn(value: unknown, pointer = ''): [pointer: string, value: number][] {
  if (typeof value === 'string')
    return /\d/.test(value) && String(Number(value)) === value ? [[pointer, Number(value)]] : []
  return Object.entries(nodeOf(value)).flatMap(([name, it]) => digitsIn(it, below(pointer, name)))
}

function queryBreaks(context: Context, { queryParameters }: OperationView, valid: Input): Invalid[] {
  return queryParameters.flatMap((parameter) =>
    parameterBreaks(context.schemas, parameter).map(({ value, change }) => ({
      valid,
      change: { ...change, question: questionOfParameter(context, parameter, change) },
      words: sentWords(parameter, value),
      query: { [parameter.name]: value },
      isNamed: (it: string) => it.split(/[/.]/).at(-1) === parameter.name,
    })),
  )
}

/**
 * The open question about an invalid value that a parameter takes. The value is no data of the service: that a filter takes
 * any string says how it filters, and nothing of the values that records have.
 */
function questionOfParameter(
  { contract }: Context,
  { pointer }: ParameterView,
  { question }: Invalid['change'],
): string | undefined {
  const meaning = assumptionsIn(contract.document, below(pointer, 'schema'), undefined).find(isMeaning)
  return question && (meaning?.question ?? question)
}

function absentHeaders({ schemas }: Context, { parameters }: OperationView, valid: Input): Invalid[] {
  return parameters
    .filter((it) => it.in === 'header' && it.isRequired)
    .flatMap((parameter) =>
      parameterBreaks(schemas, parameter)
        .filter(({ value }) => value === undefined)
        .map(({ change }) => ({
          valid,
          change,
          words: sentWords(parameter, undefined),
          without: parameter.name.toLowerCase(),
        })),
    )
}

function sentWords({ name }: ParameterView, value: string | undefined): string {
  return value === undefined ? `A request without ${name}` : `A request with ${name}=${JSON.stringify(value)}`
}

interface Single {
  readonly valid: Input
  readonly parameter: ParameterView
}

/** A parameter must not occur twice: no standard says which value counts (RFC 3986, section 3.4). */
async function expectSingle(
  context: Context,
  view: OperationView,
  { valid, parameter }: Single,
): Promise<void> {
  const { name, pointer, example } = parameter
  const [invalid] = parameterBreaks(context.schemas, parameter)
  if (!invalid || example === undefined) return
  const text = parameterText(context.schemas, parameter) ?? ''
  const exchange = await context.send(view, { ...valid, query: { ...valid.query, [name]: [text, text] } })
  const { status } = exchange.response
  if (!isSuccess(exchange)) return status >= 400 && status < 500 ? context.passed() : context.inconclusive()
  const question = questionOfParameter(context, parameter, invalid.change)
  const cites: Partial<Violation> =
    question === undefined ? { cites: { standard: 'RFC 3986, section 3.4' } } : { question }
  context.expect(exchange, `A request with ${name} twice was accepted (${status}); expected a refusal.`, {
    contract: pointer,
    about: 'twice',
    ...cites,
  })
}
