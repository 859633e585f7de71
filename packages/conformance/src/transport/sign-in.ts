import type { Contract } from '../model/contract.ts'
import { pathOf } from '../model/exchange.ts'
import type { OperationView } from '../model/operation-view.ts'
import { quoted } from './shell-commands.ts'

/**
 * POSIX shell commands, one per line, that set the variables of the commands in findings. They read keys and
 * secrets from the environment. Undefined if the contract needs no key.
 *
 * @param hasOther Whether there is a second partner.
 */
export function signInCommands(
  { operations, signIn }: Pick<Contract, 'operations' | 'signIn'>,
  base: URL,
  hasOther = false,
): string | undefined {
  if (!operations.some(({ scheme }) => scheme === 'basic')) return undefined
  const prefixes = hasOther ? ['', 'OTHER_'] : ['']
  return prefixes
    .flatMap((it) => [credentialsBy(it), ...(signIn ? [tokenBy(it, signIn, base)] : [])])
    .join('\n')
}

function credentialsBy(prefix: string): string {
  const pair = prefix === '' ? '$CLIENT_KEY:$CLIENT_SECRET' : `$${prefix}KEY:$${prefix}SECRET`
  return `${prefix}CREDENTIALS=$(printf %s "${pair}" | base64 | tr -d '\\n')`
}

function tokenBy(prefix: string, view: OperationView, base: URL): string {
  const url = quoted(base.href.replace(/\/$/, '') + pathOf(view, {}))
  const asked = `curl -sS -X ${view.method} -H "authorization: Basic $${prefix}CREDENTIALS" ${url}`
  return `${prefix}TOKEN=$(${asked} | sed -n 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/p')`
}
