import type { Magic, State } from './state.ts'

const BASE = '/_sandbox'

export const getState = () => get('/state') as Promise<State>
export const getMagic = () => get('/magic') as Promise<Magic>

/** @throws {Error} with a message for the user */
export async function get(path: string): Promise<unknown> {
  return bodyOrProblem(await fetch(BASE + path))
}

/**
 * Sends a request to the control API.
 *
 * @throws {Error} with a message for the user
 */
export async function post(path: string, body: object = {}): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  await bodyOrProblem(await fetch(BASE + path, { method: 'POST', headers, body: JSON.stringify(body) }))
}

/** @throws {Error} with a message for the user */
export async function remove(path: string): Promise<void> {
  await bodyOrProblem(await fetch(BASE + path, { method: 'DELETE' }))
}

/** @throws {Error} with a message for the user, if the response is a problem */
export async function bodyOrProblem(response: Response): Promise<unknown> {
  const text = await response.text()
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  if (!response.ok) throw new Error(problemIn(body) ?? `The sandbox returned ${response.status}.`)
  return body
}

function problemIn(body: unknown): string | undefined {
  const { errors, detail, title } = (body ?? {}) as Record<string, unknown>
  const first = Array.isArray(errors) ? errors[0]?.detail : undefined
  return [first, detail, title].find((text): text is string => typeof text === 'string' && text !== '')
}
