import { visible } from '@partner-payments/text'
import { CliError } from './errors.ts'
import { baseOf, targetOf } from './service.ts'

/** Calls the control API of the sandbox. */
export type Control = (method: string, path: string) => Promise<Record<string, unknown>>

/**
 * Milliseconds for a response, and its maximum number of characters; the last chunk may exceed it.
 */
const TIMEOUT = 10_000
const MAX_CHARACTERS = 1_000_000

export function controlOf(target: string): Control {
  const base = baseOf(targetOf(target))
  return async (method, path) => {
    const { ok, status, body } = await fetchControl(`${base}/_sandbox${path}`, method, target)
    if (ok) return body
    if (status === 404 && path === '/clock')
      throw new CliError(
        `${target} is not a sandbox with its control API: this command works on a sandbox only.`,
      )
    throw new CliError(
      `${target} refused ${method} /_sandbox${path} (${status}): ${visible(body.detail ?? '')}`,
    )
  }
}

async function fetchControl(url: string, method: string, target: string) {
  try {
    const response = await fetch(url, { method, signal: AbortSignal.timeout(TIMEOUT) })
    return { ok: response.ok, status: response.status, body: objectOf(await textOf(response)) }
  } catch (cause) {
    if (cause instanceof CliError) throw cause
    throw new CliError(
      `${target} does not respond. Start a sandbox with \`partner-payments sandbox\`, or set --target.`,
      { cause },
    )
  }
}

async function textOf({ body, url }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  // Leaving the loop cancels the body.
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > MAX_CHARACTERS)
      throw new CliError(`${url} returned more than ${MAX_CHARACTERS} characters. Is it a sandbox?`)
  }
  return text
}

function objectOf(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
