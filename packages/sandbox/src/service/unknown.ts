import { type Finding, stepsOf } from '@partner-payments/validator'

/**
 * Takes out of a body what the contract does not name, which is ignored: so nothing of it is kept or shown. Our answer
 * to the open question `unknown-members`.
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
