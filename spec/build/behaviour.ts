import { createViews, type OperationView } from '../lint/behaviour/contract-view.ts'
import { readBehaviourSchema } from '../lint/behaviour/read.ts'
import type { Node } from '../lint/marks.ts'
import { writeDeclarations } from './types.ts'

const HEADER = `/**
 * Types of behaviour.json: what the service does beyond the shape of one message, and where the
 * contract has it from.
 */
`

/**
 * Adds `responses` to each refusal: its statuses, with the operations that declare them and the
 * example body of the contract.
 */
export function buildBehaviour(behaviour: Readonly<Record<string, Node>>, contract: Node): Node {
  const operations = createViews(contract)
  const refusals: Record<string, Node> = {}
  for (const [code, refusal] of Object.entries(behaviour.refusals ?? {}))
    refusals[code] = { ...(refusal as Node), responses: responsesWithCode(code, operations) }
  return { ...behaviour, refusals }
}

/**
 * The responses that show an error code, one for each status:
 * `{ status: 404, operations: ['getTransfer', …], example }`. The example is the body that the
 * first of these operations shows.
 */
function responsesWithCode(code: string, operations: readonly OperationView[]): Node[] {
  const responses = new Map<number, { status: number; operations: string[]; example: Node }>()
  for (const { id, refusals } of operations) {
    for (const { status, example } of refusals.filter((refusal) => refusal.code === code)) {
      const response = responses.get(status)
      if (response) response.operations.push(id)
      else responses.set(status, { status, operations: [id], example })
    }
  }
  return [...responses.values()]
}

/**
 * The TypeScript declarations of behaviour.json, generated from the schema of the behaviour files.
 */
export async function writeBehaviourTypes(spec: string): Promise<string> {
  const info = { title: 'Behaviour', version: '1' }
  return (
    HEADER + (await writeDeclarations({ openapi: '3.1.0', info, ...readBehaviourSchema(spec) }))
  )
}
