import { ACCOUNTS, PARTNERS, type SeededAccount, USERS } from './seed/data.ts'
import type { RunningSandbox, ServeOptions } from './serve.ts'

/** The text that `main` prints at start: URL, credentials, users, keys and a first request. */
export function startMessage({ url, store }: RunningSandbox, { control, file }: Shown): string {
  const kept =
    store.backend === 'postgres' ? 'in PostgreSQL' : file === undefined ? 'in memory' : `in ${file}`
  const [{ client_key, client_secret }] = PARTNERS
  return `
  The sandbox runs on ${url}${control ? '; open it in a browser' : ''}.
  Its state is ${kept}.

  partners   ${PARTNERS.map((it) => `${it.client_key}:${it.client_secret}`).join('   ')}
  users      ${USERS.map((it) => `${it.username} ${it.id}, customer ${it.customer.id}`).join('\n             ')}
  keys here  ${keysOf('own')}
  to pay     ${keysOf('outside')}

  Try:  curl -u ${client_key}:${client_secret} -X POST ${url}/mobile-bff/v1/auth/partner/token/

  Ctrl-C stops.
`
}

type Shown = Pick<ServeOptions, 'control' | 'file'>

/** The owners and their keys. Keys that force a rejection are listed elsewhere. */
function keysOf(standing: string): string {
  const accounts = ACCOUNTS.filter((it) => it.standing === standing && !it.id.startsWith('reject/'))
  return accounts
    .filter(({ keys }) => keys.length > 0)
    .map(ownerAndKeys)
    .join('\n             ')
}

function ownerAndKeys({ name, trade_name, keys }: SeededAccount): string {
  return [(trade_name || name).padEnd(15), ...keys.map(({ dict_key }) => dict_key)].join('  ')
}
