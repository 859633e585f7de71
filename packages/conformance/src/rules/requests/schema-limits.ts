import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Violation } from '../../engine/violation.ts'
import { parameterBoundaries, parameterBreaks, validParameterText } from '../../generate/parameter-cases.ts'
import { type Case, type Change, describeChange, type Json } from '../../generate/schema/index.ts'
import { assumptionsIn } from '../../model/assumptions.ts'
import type { Contract } from '../../model/contract.ts'
import { below, nodeOf, valueAt, withValueAt } from '../../model/document.ts'
import { type Exchange, type Input, isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import type { ParameterView } from '../../model/parameter-views.ts'
import { pagingOf } from '../lists/walk.ts'
import { changedAs, sendVariant, withValidRequests } from '../valid-requests.ts'
import { refusalCause } from './refusal-cause.ts'
import { isSchemaRefusal, refusalKind } from './refusal-forms.ts'

export const boundaryAccepted: Rule = {
  id: 'boundary-accepted',
  phase: 'valid requests',
  cites: 'contract',
  title: 'A request at the limits of its schema is not refused as invalid.',
  advice: 'Accept the value, or narrow the schema of the contract.',
  run: (context) =>
    withValidRequests(context, async (view, valid) => {
      await context.each(bodyBoundaries(context, view, valid), async ({ body, change }) => {
        const input = await context.builder.refreshed(view, { ...valid, body }, 'partner')
        if (!input) return context.inconclusive()
        const exchange = await context.send(view, changedAs(input, body, change.pointer))
        const question = change.question ?? questionOfBody(context.contract, view, { body, change })
        await judgeValid(context, {
          exchange,
          valid,
          change: { ...change, question },
          words: describeChange(change),
        })
      })
      const accepted = new Map<string, string>()
      const tryQuery = async ({ query, change, words }: QueryCase) => {
        const exchange = await context.send(view, { ...valid, query: { ...valid.query, ...query } })
        if (isSuccess(exchange))
          for (const [name, value] of Object.entries(query)) if (value) accepted.set(name, value)
        await judgeValid(context, { exchange, valid, change, words })
      }
      await context.each(queryBoundaries(context, view), tryQuery)
      await context.each(pairsOf(view.queryParameters, accepted), tryQuery)
    }),
}

interface Tried {
  readonly exchange: Exchange
  /** The request that was accepted before. */
  readonly valid: Input
  readonly change: Pick<Change, 'contract' | 'keyword' | 'question'>
  readonly words: string
}

/** A refusal by a business rule is inconclusive: it does not depend on the schema. */
async function judgeValid(context: Context, { exchange, valid, change, words }: Tried): Promise<void> {
  if (isSuccess(exchange)) return context.keywordAccepted(change.contract, change.keyword, change.question)
  const kind = await refusalKind(context, { exchange, valid })
  if (kind === 'other') return context.inconclusive()
  const message = `${words} was refused (${exchange.response.status}); the contract allows it.`
  const isFact = change.question === undefined && change.keyword !== 'additionalProperties'
  const cause = isFact ? await refusalCause(context, exchange, valid.body) : {}
  context.expect(exchange, message, {
    about: change.keyword,
    ...placeOf(context, change, exchange),
    ...cause,
    ...(kind === 'unclear' && { question: undefined, cites: UNCLEAR }),
  })
}

const UNCLEAR = { standard: 'common practice: this status refuses what does not match its schema' }

/** All undeclared fields of an operation share one finding. */
function placeOf(
  { behaviour }: Context,
  { contract, keyword, question }: Tried['change'],
  { view }: Exchange,
) {
  const unnamed = behaviour.conventions?.unknownFields?.question
  return keyword === 'additionalProperties' && question === undefined && unnamed !== undefined
    ? { contract: view?.pointer ?? contract, question: unnamed }
    : { contract, question }
}

function bodyBoundaries({ schemas }: Context, { bodyPointer }: OperationView, valid: Input): Case[] {
  return bodyPointer === undefined ? [] : schemas.boundaries(bodyPointer, valid.body as Json)
}

interface QueryCase {
  readonly query: Readonly<Record<string, string | undefined>>
  readonly change: Tried['change']
  readonly words: string
}

/** Each parameter at its limits. A cursor is valid only with the query that it comes from. */
function queryBoundaries(context: Context, view: OperationView): QueryCase[] {
  const { contract, schemas } = context
  const { cursor } = pagingOf(context, view)
  const parameters = view.queryParameters.filter(({ name }) => name !== cursor)
  return parameters.flatMap((parameter) =>
    parameterBoundaries(schemas, parameter).map(({ value, change }) => ({
      query: { [parameter.name]: value },
      change: { ...change, question: questionOf(contract, { parameter, value, change }) },
      words: `A request with ${parameter.name}=${JSON.stringify(value)}`,
    })),
  )
}

/** The open question about a scalar value of a body. */
function questionOfBody(
  { document }: Contract,
  { bodyPointer = '' }: OperationView,
  { body, change: { pointer } }: Case,
): string | undefined {
  if (typeof valueAt(body, pointer) === 'object') return undefined
  return assumptionsIn(document, bodyPointer, body).find(({ at }) => at === pointer)?.question
}

/** The open question about a value of a parameter: that of its keyword, of its form, or of the parameter. */
function questionOf(
  { document }: Contract,
  { parameter: { pointer }, value, change: { keyword, question } }: SentParameter,
): string | undefined {
  const ofForm = assumptionsIn(document, below(pointer, 'schema'), value)[0]?.question
  return keyword === 'type' ? (ofForm ?? question) : (question ?? ofForm)
}

interface SentParameter {
  readonly parameter: ParameterView
  readonly value: unknown
  readonly change: Pick<Change, 'keyword' | 'question'>
}

/** Parameters of which every pair is tried; of more, each is tried with the next one. */
const ALL_PAIRS = 20

/** Pairs of parameters, with values that were accepted one by one. */
function pairsOf(parameters: readonly ParameterView[], accepted: ReadonlyMap<string, string>): QueryCase[] {
  const known = parameters.filter(({ name, kind }) => kind === 'scalar' && accepted.has(name))
  const most = known.length > ALL_PAIRS ? 1 : known.length
  return known.flatMap((one, i) =>
    known.slice(i + 1, i + 1 + most).map((other) => ({
      query: { [one.name]: accepted.get(one.name), [other.name]: accepted.get(other.name) },
      change: { contract: other.pointer, keyword: 'pair', question: undefined },
      words: `A request with ${one.name} and ${other.name}`,
    })),
  )
}

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
      ...(isEmptyParameter(it) ? { cites: EMPTY_IS_ABSENT } : { question }),
    })
  else if (status !== 400 && status !== 415 && status !== 422) context.inconclusive()
  else {
    context.keywordRefused(contract, keyword, question)
    // A business rule may refuse the request first, and name another field.
    if (await isSchemaRefusal(context, { exchange, valid: it.valid })) expectPlace(context, it, exchange)
  }
}

/** Many services read a parameter without a value as an absent one. */
function isEmptyParameter({ query = {}, change }: Invalid): boolean {
  return change.question === undefined && Object.values(query).includes('')
}

const EMPTY_IS_ABSENT = { standard: 'common practice: a parameter without a value counts as absent' }

function saidOf({ keyword }: { keyword: string }): string {
  return keyword === 'required' ? 'requires it' : `does not allow that (${keyword})`
}

/** Only some contracts require that a refusal names the invalid field. */
function expectPlace({ behaviour, expect }: Context, { isNamed, words }: Invalid, exchange: Exchange): void {
  const question = behaviour.conventions?.refusals?.question
  if (!isNamed || question === undefined) return
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
    ...(change.pointer !== '' && { isNamed: (it: string) => isAround(it, change.pointer) }),
  }))
}

/** Whether a pointer names the field, its parent or a field inside it, but not the whole body. */
function isAround(named: string, pointer: string): boolean {
  return (
    named === pointer || (named !== '' && pointer.startsWith(`${named}/`)) || named.startsWith(`${pointer}/`)
  )
}

/** Strings of digits from other examples, as numbers: a lenient service converts them. */
function numbers({ contract }: Context, { bodyPointer, examples }: OperationView, valid: Input): Case[] {
  if (bodyPointer === undefined) return []
  const digits = new Map(examples.flatMap((example) => digitsIn(example)))
  return [...digits].flatMap(([pointer, value]) => {
    if (typeof valueAt(valid.body, pointer) !== 'string') return []
    const body = withValueAt(valid.body, pointer, value) as Json
    const findings = contract.validator.validateValue(bodyPointer, body, { direction: 'to-service' })
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

function queryBreaks({ schemas }: Context, { queryParameters }: OperationView, valid: Input): Invalid[] {
  return queryParameters.flatMap((parameter) =>
    parameterBreaks(schemas, parameter).map(({ value, change }) => ({
      valid,
      change,
      words: sentWords(parameter, value),
      query: { [parameter.name]: value },
      isNamed: (it: string) => it.split(/[/.]/).at(-1) === parameter.name,
    })),
  )
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

/** A scalar parameter must not occur twice: no standard says which value counts (RFC 3986, section 3.4). */
async function expectSingle(
  context: Context,
  view: OperationView,
  { valid, parameter }: Single,
): Promise<void> {
  const { name, pointer, kind, example } = parameter
  const [invalid] = parameterBreaks(context.schemas, parameter)
  if (!invalid || kind !== 'scalar' || example === undefined) return
  const text = validParameterText(context.schemas, parameter)
  const exchange = await context.send(view, { ...valid, query: { ...valid.query, [name]: [text, text] } })
  const { status } = exchange.response
  if (!isSuccess(exchange)) return status >= 400 && status < 500 ? context.passed() : context.inconclusive()
  const { question } = invalid.change
  const cites: Partial<Violation> =
    question === undefined ? { cites: { standard: 'RFC 3986, section 3.4' } } : { question }
  context.expect(exchange, `A request with ${name} twice was accepted (${status}); expected a refusal.`, {
    contract: pointer,
    about: 'twice',
    ...cites,
  })
}
