import type { Context } from '../../engine/context.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { Resource } from '../../model/resources.ts'
import { doStep } from './records.ts'

/** Sets a record to what it is not created as, so that a default which is shown in its place is seen. */
export async function madeUnusual(context: Context, { update }: Resource, created: Exchange): Promise<void> {
  const example = nodeOf(update?.view.examples[0])
  if (!update) return
  const unusual = { status: 'inactive', type: 'transfer' }
  const members = Object.entries(unusual).filter(([name]) => Object.hasOwn(example, name))
  await doStep(context, update, created, { body: { ...example, ...Object.fromEntries(members) } })
}

/** Members to be set so that the amount of a creation, where its example has one, is of no whole reais. */
export function oddAmounts(example: unknown): Record<string, unknown> {
  const { original } = nodeOf(nodeOf(example).amount)
  return typeof original === 'string' ? { '/amount/original': original.replace(/\.\d\d$/, '.37') } : {}
}

/** A centavo that binary fractions lose, and more digits than a float keeps. */
const AMOUNTS = ['1.15', '8765432109.87']
/** What is part of a URL, and is lost where one is taken apart: capitals, a query, escapes. */
const URL_OF_MANY_PARTS = 'https://loja.example/Pix?loja=1&Pedido=%C3%A9'

/** Members of an example to be set to amounts and URLs that are kept with more care than others. */
export function unusualOf(example: unknown): Readonly<Record<string, unknown>>[] {
  const { amount, url } = nodeOf(example)
  const amounts = AMOUNTS.map((it) => ({ '/amount': typeof amount === 'string' ? it : { original: it } }))
  return [
    ...(amount === undefined ? [] : amounts),
    ...(url === undefined ? [] : [{ '/url': URL_OF_MANY_PARTS }]),
  ]
}
