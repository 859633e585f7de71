import { type OperationView, viewsOf } from '../lint/behaviour/contract-view.ts'
import { readBehaviourSchema } from '../lint/behaviour/read.ts'
import type { Node } from '../lint/marks.ts'
import { declarationsOf } from './types.ts'

const HEADER = `/**
 * Types of behaviour.json: what the service does beyond the shape of one message, and where the
 * contract has it from.
 */
`

/**
 * Adds `responses` to each refusal: its statuses, with the operations that declare them and the
 * example body of the contract.
 */
export function behaviourOf(behaviour: Readonly<Record<string, Node>>, contract: Node): Node {
  const operations = viewsOf(contract)
  const refusals = Object.entries(behaviour.refusals ?? {}).map(([code, refusal]) => [
    code,
    { ...(refusal as Node), responses: responsesOf(code, operations) },
  ])
  return { ...behaviour, refusals: Object.fromEntries(refusals) }
}

function responsesOf(code: string, operations: readonly OperationView[]): Node[] {
  const declared = operations.flatMap(({ id, refusals }) =>
    refusals
      .filter((it) => it.code === code)
      .map(({ status, example }) => ({ id, status, example })),
  )
  const byStatus = Map.groupBy(declared, ({ status }) => status)
  return [...byStatus].map(([status, all]) => ({
    status,
    operations: all.map(({ id }) => id),
    example: all[0]?.example,
  }))
}

/**
 * The TypeScript declarations of behaviour.json, generated from the schema of the behaviour files.
 */
export async function behaviourTypesOf(spec: string): Promise<string> {
  const info = { title: 'Behaviour', version: '1' }
  return HEADER + (await declarationsOf({ openapi: '3.1.0', info, ...readBehaviourSchema(spec) }))
}
