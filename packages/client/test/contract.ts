import { valueAt } from '@partner-payments/contract'
import { contract as bundled, operationsIn } from '../build/contract.ts'

export type Json = Readonly<Record<string, unknown>>

/** The contract with the short paths of its guide. */
export const contract = bundled as unknown as Pick<
  typeof bundled,
  'tags' | 'paths' | 'webhooks'
> & {
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>
}

/** Every operation of the contract, and every delivery. */
export const operations = operationsIn({ ...contract.paths, ...contract.webhooks }).map(
  ([, , operation]) => operation,
)

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
  ({ operationId, requestBody = {}, responses }) => {
    const bodies = Object.entries({ request: requestBody, ...responses })
    return bodies.flatMap(([of, body]) => [...examplesIn(operationId, of, body)])
  },
)

function* examplesIn(operationId: string, of: string, body: unknown): Generator<Example> {
  const content = (resolved(body).content ?? {}) as Record<string, { examples?: Json }>
  for (const media of Object.values(content)) {
    for (const [name, example] of Object.entries(media.examples ?? {})) {
      const { value } = resolved(example)
      yield { operationId, of, name, value }
    }
  }
}

/** A copy of the first example of a response. */
export function exampleOf(operationId: string, status: number): Json {
  const example = examples.find(
    (candidate) => candidate.operationId === operationId && candidate.of === `${status}`,
  )
  return structuredClone(example?.value) as Json
}
