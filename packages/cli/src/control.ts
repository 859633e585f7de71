import { visible } from '@partner-payments/contract'
import { CliError } from './errors.ts'
import { isObject } from './json.ts'
import { baseOf, targetOf } from './service.ts'

/** Calls the control API of the sandbox. */
export type Control = (method: string, path: string) => Promise<Record<string, unknown>>

const TIMEOUT_MS = 10_000
/** Maximum number of characters of a response; the last chunk may exceed it. */
const MAX_CHARACTERS = 1_000_000

export function controlOf(target: string): Control {
  const base = baseOf(targetOf(target))
  return async (method, path) => {
    const { ok, status, body } = await fetchControl(`${base}/_sandbox${path}`, method, target)
    if (ok) return body

    const isNoSandbox = status === 404 && path === '/clock'
    if (isNoSandbox)
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
    const response = await fetch(url, { method, signal: AbortSignal.timeout(TIMEOUT_MS) })
    const { ok, status } = response
    const body = parseObject(await readText(response))
    return { ok, status, body }
  } catch (cause) {
    if (cause instanceof CliError) throw cause
    throw new CliError(
      `${target} does not respond. Start a sandbox with \`partner-payments sandbox\`, or set --target.`,
      { cause },
    )
  }
}

async function readText({ body, url }: Response): Promise<string> {
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

/** The JSON object of a body; empty if it is something else. */
function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
