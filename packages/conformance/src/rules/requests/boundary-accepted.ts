import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { parameterBoundaries } from '../../generate/parameter-cases.ts'
import { type Case, type Change, describeChange, type Json } from '../../generate/schema/index.ts'
import { assumptionsIn } from '../../model/assumptions.ts'
import type { Contract } from '../../model/contract.ts'
import { below, valueAt } from '../../model/document.ts'
import { type Exchange, type Input, isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import type { ParameterView } from '../../model/parameter-views.ts'
import { withValidRequests } from '../common/valid-requests.ts'
import { pagingOf } from '../lists/paging.ts'
import { refusalCause } from '../refusals/refusal-cause.ts'
import { isSchemaRefusal, isUndeclaredRule } from '../refusals/refusal-kind.ts'
import { citedIfEmpty } from './empty-parameters.ts'
import { changedAs } from './send-variant.ts'

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

/**
 * A refusal by a business rule is inconclusive, since it does not depend on the schema. A rule that the contract does not
 * declare is another bound than the assumed one.
 */
async function judgeValid(context: Context, { exchange, valid, change, words }: Tried): Promise<void> {
  if (isSuccess(exchange)) return context.keywordAccepted(change.contract, change.keyword, change.question)
  const isBound = BOUNDS.test(change.keyword) && change.question !== undefined
  const isJudged =
    (await isSchemaRefusal(context, { exchange, valid })) ||
    (isBound && (await isUndeclaredRule(context, { exchange, valid })))
  if (!isJudged) return context.inconclusive()
  const message = `${words} was refused (${exchange.response.status}); the contract allows it.`
  const isFact = change.question === undefined && change.keyword !== 'additionalProperties'
  const cause = isFact ? await refusalCause(context, exchange, valid.body) : {}
  context.expect(exchange, message, {
    about: change.keyword,
    ...placeOf(context, change, exchange),
    ...cause,
    ...(isFact && citedIfEmpty(exchange.input.query)),
  })
}

/** Keywords that bound a value. */
const BOUNDS = /^((exclusive)?(min|max)[a-z]*|pattern)$/i

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
  const known = parameters.filter(({ name }) => accepted.has(name))
  const most = known.length > ALL_PAIRS ? 1 : known.length
  return known.flatMap((one, i) =>
    known.slice(i + 1, i + 1 + most).map((other) => ({
      query: { [one.name]: accepted.get(one.name), [other.name]: accepted.get(other.name) },
      change: { contract: other.pointer, keyword: 'pair', question: undefined },
      words: `A request with ${one.name} and ${other.name}`,
    })),
  )
}
