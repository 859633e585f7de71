import { type Finding, stepsOf } from '@partner-payments/validator'

/**
 * Removes fields that the contract does not name, so that they are neither stored nor returned. This is the assumption
 * to the open question `unknown-fields`.
 */
export function dropUnknown(body: unknown, findings: readonly Finding[]): void {
  for (const { place, pointer } of findings) {
    if (place !== 'body') continue
    const steps = stepsOf(pointer)
    const name = steps.pop()
    const parent = steps.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], body)
    if (name !== undefined) delete (parent as Record<string, unknown>)[name]
  }
}
