import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Violation } from '../../engine/violation.ts'
import { parameterBoundaries, parameterBreaks, validParameterText } from '../../generate/parameter-cases.ts'
import { type Case, type Change, type Json, wordsOf } from '../../generate/schema/index.ts'
import { assumptionsIn } from '../../model/assumptions.ts'
import type { Contract } from '../../model/contract.ts'
import { below, nodeOf, valueAt, withValueAt } from '../../model/document.ts'
import { type Exchange, type Input, isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import type { ParameterView } from '../../model/parameter-views.ts'
import { changedAs, sendVariant, withBase } from '../valid-requests.ts'
import { isSchemaRefusal, refusalKind } from './refusal-forms.ts'

export const boundaryAccepted: Rule = {
  id: 'boundary-accepted',
  phase: 'valid requests',
  cites: 'contract',
  title:
    'A request that matches its schema is not refused as one that does not, up to the edge of each keyword.',
  advice: 'Accept the value, or narrow the schema of the contract.',
  run: (context) =>
    withBase(context, async (view, base) => {
      await context.each(bodyBoundaries(context, view, base), async ({ body, change }) => {
        const input = await context.builder.refreshed(view, { ...base, body }, 'partner')
        if (!input) return context.inconclusive()
        const exchange = await context.send(view, changedAs(input, body, change.pointer))
        const question = change.question ?? questionOfBody(context.contract, view, { body, change })
        await judgeValid(context, { exchange, base, change: { ...change, question }, words: wordsOf(change) })
      })
      const accepted = new Map<string, string>()
      const tryQuery = async ({ query, change, words }: QueryCase) => {
        const exchange = await context.send(view, { ...base, query: { ...base.query, ...query } })
        if (isSuccess(exchange))
          for (const [name, value] of Object.entries(query)) if (value) accepted.set(name, value)
        await judgeValid(context, { exchange, base, change, words })
      }
      await context.each(queryBoundaries(context, view), tryQuery)
      await context.each(pairsOf(view.queryParameters, accepted), tryQuery)
    }),
}

interface Tried {
  readonly exchange: Exchange
  /** The request that was accepted before. */
  readonly base: Input
  readonly change: Pick<Change, 'contract' | 'keyword' | 'question'>
  readonly words: string
}

/** A refusal by a business rule says nothing about the schema. */
async function judgeValid(context: Context, { exchange, base, change, words }: Tried): Promise<void> {
  if (isSuccess(exchange)) return context.keywordAccepted(change.contract, change.keyword, change.question)
  const kind = await refusalKind(context, { exchange, base })
  if (kind === 'other') return context.inconclusive()
  const message = `${words} was refused (${exchange.response.status}); the contract allows it.`
  context.expect(exchange, message, {
    about: change.keyword,
    ...placeOf(context, change, exchange),
    ...(kind === 'unclear' && { question: undefined, cites: UNCLEAR }),
  })
}

const UNCLEAR = { standard: 'common practice: this status refuses what does not match its schema' }

/** A schema says nothing about fields that it does not name: one finding per operation. */
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

function bodyBoundaries({ schemas }: Context, { bodyPointer }: OperationView, base: Input): Case[] {
  return bodyPointer === undefined ? [] : schemas.boundaries(bodyPointer, base.body as Json)
}

interface QueryCase {
  readonly query: Readonly<Record<string, string | undefined>>
  readonly change: Tried['change']
  readonly words: string
}

/** Each parameter at its edges. A cursor goes with the query that it is of. */
function queryBoundaries({ contract, schemas }: Context, { queryParameters }: OperationView): QueryCase[] {
  const parameters = queryParameters.filter(({ name }) => name !== 'cursor')
  return parameters.flatMap((parameter) =>
    parameterBoundaries(schemas, parameter).map(({ value, change }) => ({
      query: { [parameter.name]: value },
      change: { ...change, question: questionOf(contract, { parameter, value, change }) },
      words: `A request with ${parameter.name}=${JSON.stringify(value)}`,
    })),
  )
}

/** The open question about a value of a body that is no object and no array. */
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

/** Each two parameters with values that were accepted alone. */
function pairsOf(parameters: readonly ParameterView[], accepted: ReadonlyMap<string, string>): QueryCase[] {
  const known = parameters.filter(({ name, kind }) => kind === 'scalar' && accepted.has(name))
  return known.flatMap((one, i) =>
    known.slice(i + 1).map((other) => ({
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
    withBase(context, async (view, base) => {
      await context.each(
        [
          ...bodyBreaks(context, view, base),
          ...queryBreaks(context, view, base),
          ...absentHeaders(context, view, base),
        ],
        async (it) => judgeInvalid(context, it, await sendInvalid(context, view, it)),
      )
      await context.each(view.queryParameters, (parameter) =>
        expectSingle(context, view, { base, parameter }),
      )
    }),
}

/** A request with one edit that its schema does not allow. */
interface Invalid {
  readonly base: Input
  readonly change: Pick<Change, 'contract' | 'keyword' | 'question'>
  readonly words: string
  /** The edited body, and where the edit is. */
  readonly body?: { readonly value: unknown; readonly pointer: string }
  readonly query?: Input['query']
  readonly without?: string
  /** Whether a pointer of the refusal names the place of the edit. */
  readonly isNamed?: (pointer: string) => boolean
}

function sendInvalid(context: Context, view: OperationView, { base, body, query, without }: Invalid) {
  if (body) return sendVariant(context, view, { base, body: body.value, pointer: body.pointer })
  return context.send(
    view,
    { ...base, query: { ...base.query, ...query } },
    without ? { without: [without] } : {},
  )
}

async function judgeInvalid(context: Context, it: Invalid, exchange: Exchange): Promise<void> {
  const { change, words } = it
  const { contract, keyword, question } = change
  const { status } = exchange.response
  const message = `${words} was accepted (${status}); the contract ${saidOf(change)}.`
  if (status >= 500 || status === 0) context.skipped(exchange)
  else if (isSuccess(exchange)) context.expect(exchange, message, { contract, about: keyword, question })
  else if (status !== 400 && status !== 415 && status !== 422) context.inconclusive()
  else {
    context.keywordRefused(contract, keyword, question)
    // A business rule may refuse the request first, and names what it judges.
    if (await isSchemaRefusal(context, { exchange, base: it.base })) expectPlace(context, it, exchange)
  }
}

function saidOf({ keyword }: { keyword: string }): string {
  return keyword === 'required' ? 'requires it' : `does not allow that (${keyword})`
}

/** The refusal of a contract that says so names each place; another one promises nothing. */
function expectPlace({ behaviour, expect }: Context, { isNamed, words }: Invalid, exchange: Exchange): void {
  const question = behaviour.conventions?.refusals?.question
  if (!isNamed || question === undefined) return
  const named = Object.values(nodeOf(nodeOf(exchange.body).errors)).map((it) => String(nodeOf(it).pointer))
  const message = `${words} was refused, and errors names ${named.join(', ') || 'no place'}; expected its place.`
  expect(exchange, named.some(isNamed) ? undefined : message, { question, about: 'pointer' })
}

function bodyBreaks(context: Context, view: OperationView, base: Input): Invalid[] {
  if (view.bodyPointer === undefined) return []
  const cases = [
    ...context.schemas.breaks(view.bodyPointer, base.body as Json),
    ...numbers(context, view, base),
  ]
  return cases.map(({ body, change }) => ({
    base,
    change,
    words: wordsOf(change),
    body: { value: body, pointer: change.pointer },
    ...(change.pointer !== '' && { isNamed: (it: string) => isAround(it, change.pointer) }),
  }))
}

/** The field, what is around it, or what is inside of it; not the whole body. */
function isAround(named: string, pointer: string): boolean {
  return (
    named === pointer || (named !== '' && pointer.startsWith(`${named}/`)) || named.startsWith(`${pointer}/`)
  )
}

/** Strings of digits that other examples have, as numbers: a service that converts them would accept them. */
function numbers({ contract }: Context, { bodyPointer, examples }: OperationView, base: Input): Case[] {
  if (bodyPointer === undefined) return []
  const digits = new Map(examples.flatMap((example) => digitsIn(example)))
  return [...digits].flatMap(([pointer, value]) => {
    if (typeof valueAt(base.body, pointer) !== 'string') return []
    const body = withValueAt(base.body, pointer, value) as Json
    const findings = contract.validator.validateValue(bodyPointer, body, { direction: 'to-service' })
    const note = 'the text as a number'
    return findings.slice(0, 1).map(({ contract, keyword, question }) => ({
      body,
      change: { pointer, contract, keyword, question, note },
    }))
  })
}

/** The strings of a value that are written as a number is, by their pointers. */
function digitsIn(value: unknown, pointer = ''): [pointer: string, value: number][] {
  if (typeof value === 'string')
    return /\d/.test(value) && String(Number(value)) === value ? [[pointer, Number(value)]] : []
  return Object.entries(nodeOf(value)).flatMap(([name, it]) => digitsIn(it, below(pointer, name)))
}

function queryBreaks({ schemas }: Context, { queryParameters }: OperationView, base: Input): Invalid[] {
  return queryParameters.flatMap((parameter) =>
    parameterBreaks(schemas, parameter).map(({ value, change }) => ({
      base,
      change,
      words: sentWords(parameter, value),
      query: { [parameter.name]: value },
      isNamed: (it: string) => it.split(/[/.]/).at(-1) === parameter.name,
    })),
  )
}

function absentHeaders({ schemas }: Context, { parameters }: OperationView, base: Input): Invalid[] {
  return parameters
    .filter((it) => it.in === 'header' && it.isRequired)
    .flatMap((parameter) =>
      parameterBreaks(schemas, parameter)
        .filter(({ value }) => value === undefined)
        .map(({ change }) => ({
          base,
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
  readonly base: Input
  readonly parameter: ParameterView
}

/** A parameter that is one string cannot come twice: no standard says which one counts (RFC 3986, section 3.4). */
async function expectSingle(
  context: Context,
  view: OperationView,
  { base, parameter }: Single,
): Promise<void> {
  const { name, pointer, kind, example } = parameter
  const [invalid] = parameterBreaks(context.schemas, parameter)
  if (!invalid || kind !== 'scalar' || example === undefined) return
  const text = validParameterText(context.schemas, parameter)
  const exchange = await context.send(view, { ...base, query: { ...base.query, [name]: [text, text] } })
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
