import type { Magic, State } from './state.ts'

const BASE = '/_sandbox'

/** @throws {Error} with what to show to a person. */
export async function getState(): Promise<State> {
  return (await answerOf(await fetch(`${BASE}/state`))) as State
}

/** @throws {Error} with what to show to a person. */
export async function getMagic(): Promise<Magic> {
  return (await answerOf(await fetch(`${BASE}/magic`))) as Magic
}

/**
 * Asks the control for something.
 *
 * @throws {Error} with what to show to a person.
 */
export async function post(path: string, body: object = {}): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  await answerOf(await fetch(`${BASE}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }))
}

async function answerOf(response: Response): Promise<unknown> {
  const text = await response.text()
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  if (!response.ok) throw new Error(problemIn(body) ?? `The sandbox answered ${response.status}.`)
  return body
}

function problemIn(body: unknown): string | undefined {
  const { errors, detail, title } = (body ?? {}) as Record<string, unknown>
  const first = Array.isArray(errors) ? errors[0]?.detail : undefined
  return [first, detail, title].find((text): text is string => typeof text === 'string' && text !== '')
}
