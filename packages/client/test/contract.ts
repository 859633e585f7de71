import { valueAt } from '@partner-payments/contract'
import { contract as bundled, events, operations as rows } from '../build/contract.ts'

export type Json = Readonly<Record<string, unknown>>

/** The contract with the short paths of its guide. */
export const contract = bundled as unknown as Pick<
  typeof bundled,
  'tags' | 'paths' | 'webhooks'
> & {
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>
}

/** Every operation of the contract, and every delivery. */
export const operations = [...rows, ...events]

/** Resolves a reference inside the contract. */
export function resolved(node: unknown): Json {
  const { $ref } = node as { $ref?: string }
  return $ref ? resolved(valueAt(contract, $ref)) : (node as Json)
}

interface Example {
  readonly operationId: string
  /** `request`, or the status of the response. */
  readonly of: string
  readonly name: string
  readonly value: unknown
}

/** Every example of every body, of the request or of the response with a status. */
export const examples: readonly Example[] = operations.flatMap(
  ({ id: operationId, request, responses }) => {
    const ofRequest = (request?.examples ?? []).map((example) => ({ of: 'request', example }))
    const ofResponses = responses.flatMap(({ status, body }) =>
      (body?.examples ?? []).map((example) => ({ of: status, example })),
    )
    return [...ofRequest, ...ofResponses].map(({ of, example: { name, value } }) => ({
      operationId,
      of,
      name,
      value,
    }))
  },
)

/** A copy of the first example of a response. */
export function findExample(operationId: string, status: number): Json {
  const example = examples.find(
    (candidate) => candidate.operationId === operationId && candidate.of === `${status}`,
  )
  return structuredClone(example?.value) as Json
}
