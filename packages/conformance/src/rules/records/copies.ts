import { isDeepStrictEqual } from 'node:util'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { valueAt } from '../../model/document.ts'
import { type Exchange, type Identity, isSuccess } from '../../model/exchange.ts'
import { createdBy } from '../common/declared-resources.ts'
import { citing } from '../common/declared-sources.ts'
import { requestWithRecords, userOf } from '../common/record-requests.ts'
import { declaredContent } from './differences.ts'
import { isSameValue } from './shown-values.ts'

type Copy = NonNullable<Behaviour['copies']>[string]

export const copies: Rule = {
  id: 'copies',
  phase: 'records',
  cites: 'contract',
  needs: ({ copies: all = {} }) => Object.values(all).map(({ to }) => to),
  stateful: true,
  impact: 'high',
  title: 'A response repeats the fields of an earlier request or response, as the contract declares.',
  advice: 'Read the fields from the record that the request names.',
  run: (context) => context.each(pairsOf(context), (pair) => tryPair(context, pair)),
}

/** An example of one operation, and another operation that uses its response. */
interface Pair {
  readonly from: string
  readonly to: string
  readonly example: number
}

function pairsOf({ behaviour, contract, isIncluded }: Context): Pair[] {
  const all = Object.values(behaviour.copies ?? {}).flatMap(({ from, to }) =>
    from.map((it) => [it, to] as const),
  )
  const known = all.filter(([from, to]) => contract.has(from, to) && isIncluded(contract.operation(to)))
  const pairs = new Map(known.map((it) => [it.join(' '), it]))
  return [...pairs.values()].flatMap(([from, to]) =>
    contract.operation(from).examples.map((_, example) => ({ from, to, example })),
  )
}

/** An accepted request and its sender. */
interface Source {
  readonly exchange: Exchange
  readonly identity: Identity
}

/** Creates two records before it reads either, to find a service that shows one in place of the other. */
async function tryPair(context: Context, pair: Pair): Promise<void> {
  const sources: Source[] = []
  for (let count = createdBy(context, pair.from) ? 2 : 1; count > 0; count--) {
    const source = await sourceOf(context, pair)
    if (source) sources.push(source)
    else context.inconclusive()
  }
  const link = context.contract.links.find(({ from, to }) => from === pair.from && to === pair.to)
  for (const { exchange, identity } of sources) {
    const input = link && context.builder.inputFromLink(link, exchange)
    const view = context.contract.operation(pair.to)
    const shown = input && context.canSend(view) && (await context.send(view, input, { identity }))
    if (shown && isSuccess(shown))
      for (const [name, it] of copiesOf(context, pair)) judge(context, { name, it, exchange, shown })
    else context.inconclusive()
  }
}

/** A record belongs to the partner, and a customer uses it if there is one. */
async function sourceOf(context: Context, { from, example }: Pair): Promise<Source | undefined> {
  const view = context.contract.operation(from)
  const identity = createdBy(context, from) ? 'partner' : userOf(context)
  const built = await requestWithRecords(context, view, { identity, example })
  const exchange = built && (await context.send(view, built.input, { identity }))
  return exchange && isSuccess(exchange) ? { exchange, identity } : undefined
}

function copiesOf({ behaviour }: Context, { from, to }: Pair): [string, Copy][] {
  return Object.entries(behaviour.copies ?? {}).filter(([, it]) => it.from.includes(from) && it.to === to)
}

interface Case {
  readonly name: string
  readonly it: Copy
  readonly exchange: Exchange
  readonly shown: Exchange
}

/** Skips fields that the earlier message does not have. */
function judge(context: Context, { name, it, exchange, shown }: Case): void {
  const { sent = {}, fields = {}, values, always = {} } = it
  const rows = [
    ...Object.entries(sent).map(([from, to]) => ({ to, expected: valueAt(exchange.input.body, from) })),
    ...Object.entries(fields).map(([from, to]) => ({ to, expected: valueAt(exchange.body, from) })),
    ...Object.entries(always).map(([to, expected]) => ({ to, expected })),
  ]
  for (const { to, expected: given } of rows) {
    if (given === undefined) continue
    const expected = valueFor(values, given)
    const got = valueAt(shown.body, to)
    if (expected === undefined) {
      context.inconclusive(UNLISTED)
      continue
    }
    const message = `${it.says.replace(/\.$/, '')}; but ${to} is ${JSON.stringify(got)}, expected ${JSON.stringify(expected)}.`
    const [left, right] = [expected, got].map((it) => declaredContent(context.contract, it))
    const isSame = isSameValue(expected, got) || isDeepStrictEqual(left, right)
    context.expect(shown, isSame ? undefined : message, {
      ...citing(it),
      about: `${name} ${to}`,
    })
  }
}

/** The reason why nothing is known of the copy: the value is a deviation of its own. */
const UNLISTED = 'the earlier message shows a value that the contract does not list'

/** What is shown for a value; undefined if there is a table without it. */
function valueFor(values: Readonly<Record<string, string>> | undefined, given: unknown): unknown {
  return values ? values[String(given)] : given
}
