import { valueAt } from '@partner-payments/text'
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
  ([, , it]) => it,
)

/** Resolves a reference inside the contract. */
export function resolved(node: unknown): Json {
  const { $ref } = node as { $ref?: string }
  return $ref ? resolved(valueAt(contract, $ref)) : (node as Json)
}

/** Every example of every body, of the request or of the response with a status. */
export const examples = operations.flatMap(({ operationId, requestBody = {}, responses }) =>
  Object.entries({ request: requestBody, ...responses }).flatMap(([of, body]) =>
    Object.values((resolved(body).content ?? {}) as Record<string, { examples?: Json }>).flatMap(
      (media) =>
        Object.entries(media.examples ?? {}).map(([name, it]) => ({
          operationId,
          of,
          name,
          value: resolved(it).value,
        })),
    ),
  ),
)

/** A copy of the first example of a response. */
export function exampleOf(operationId: string, status: number): Json {
  const found = examples.find((it) => it.operationId === operationId && it.of === `${status}`)
  return structuredClone(found?.value) as Json
}
