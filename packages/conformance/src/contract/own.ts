import type { Register } from '../judging/verdicts.ts'

/** The contract of this project. */
export async function ownContract(): Promise<object> {
  const { default: contract } = await import('@partner-payments/spec/openapi.json', {
    with: { type: 'json' },
  })
  return contract
}

/** The open questions of this project's contract. */
export async function ownRegister(): Promise<Register> {
  const { default: register } = await import('@partner-payments/spec/open-questions.json', {
    with: { type: 'json' },
  })
  return register as Register
}
