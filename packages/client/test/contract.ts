import { mergeContracts } from '@partner-payments/spec/build'
import guide from '@partner-payments/spec/guide.json' with { type: 'json' }
import openapi from '@partner-payments/spec/openapi.json' with { type: 'json' }

export type Json = Readonly<Record<string, unknown>>

/** The contract with the short paths of its guide. */
export const contract = mergeContracts(openapi, guide) as unknown as {
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>
}

/** Resolves a reference inside the contract. */
export function resolved(node: unknown): Json {
  const { $ref } = node as { $ref?: string }
  if (!$ref) return node as Json
  const steps = $ref.split('/').slice(1)
  return resolved(steps.reduce<unknown>((at, step) => (at as Json)[step], contract))
}

/** An example body of the request or of the response with a status. */
export interface Example {
  readonly operationId: string
  readonly of: string
  readonly name: string
  readonly value: unknown
}

/** Every example of every body of every operation. */
export const examples: readonly Example[] = Object.values(contract.paths).flatMap((item) =>
  Object.values(item).flatMap((operation) => {
    const { operationId, requestBody, responses } = operation
    if (typeof operationId !== 'string') return []
    const bodies = [['request', requestBody ?? {}], ...Object.entries(responses as Json)] as const
    return bodies.flatMap(([of, body]) => examplesOf(operationId, of, resolved(body)))
  }),
)

function examplesOf(operationId: string, of: string, { content = {} }: Json): Example[] {
  return Object.values(content as Json).flatMap((media) =>
    Object.entries((media as Json).examples as Json).map(([name, example]) => ({
      operationId,
      of,
      name,
      value: resolved(example).value,
    })),
  )
}

/** A copy of the first example of a response. */
export function exampleOf(operationId: string, status: number): Json {
  const found = examples.find((it) => it.operationId === operationId && it.of === `${status}`)
  return structuredClone(found?.value) as Json
}
