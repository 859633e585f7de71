import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type Bench, type Row, rowsOf } from '@partner-payments/bench'
import { createApp } from '../src/app.ts'
import { PARTNERS, USERS } from '../src/seed/data.ts'
import type { StoreOptions } from '../src/store/open.ts'
import { startPostgres } from '../test/postgres.ts'
import { fill, RARE_TAX_ID } from './fill.ts'
import { connectTo, type Lane, newFile, ratesOf, runSandbox, type Send } from './load.ts'

const [{ client_key, client_secret }] = PARTNERS
const BASIC = `Basic ${btoa(`${client_key}:${client_secret}`)}`
const [{ id: USER, customer }] = USERS
const KEY = 'beltrana@example.com'
const IMMEDIATE = '/pix/qrcode/dynamic/immediate'

/** Transfers in the full store. */
const TRANSFERS = Number(process.env.BENCH_TRANSFERS ?? 100_000)
/** Transfers in the small store: enough for full list pages. */
const FEW = 200
const LANES: Readonly<Record<string, Lane>> = {
  signIn: (send) => send('POST', '/auth/partner/token/', undefined, BASIC),
  impersonate: (send) =>
    send('POST', '/auth/partner/impersonate/', { user_id: USER, customer_id: customer.id }),
  checkKey: (send) => send('POST', '/pix/dict/check/', { dict_key: KEY }),
  'checkKey, then createTransfer': async (send) => {
    const { initiation_id } = await send('POST', '/pix/dict/check/', { dict_key: KEY })
    await send('POST', '/pix/out/', { type: 'dict', dict_key: KEY, initiation_id, amount: '0.01' })
  },
  createImmediateQrCode: createCode,
  'createImmediateQrCode, then checkCode': async (send) => {
    const { emv } = await createCode(send)
    await send('POST', '/pix/brcode/emv/', { emv })
  },
  'createImmediateQrCode, then cancel': async (send) => {
    const { id } = await createCode(send)
    await send('DELETE', `${IMMEDIATE}/${id}`)
  },
  listImmediateQrCodes: get(IMMEDIATE),
  'listImmediateQrCodes by a rare status': get(`${IMMEDIATE}?status=CONCLUIDA`),
  'listImmediateQrCodes by tax_id': get(`${IMMEDIATE}?tax_id=${RARE_TAX_ID}`),
  'listImmediateQrCodes by both': get(`${IMMEDIATE}?status=CONCLUIDA&tax_id=${RARE_TAX_ID}`),
  listUsers: get('/partner/user'),
  listWebhooks: get('/partner/webhook/'),
  'createWebhook, then deleteWebhook': async (send) => {
    const webhook = { type: 'qrcode', url: 'https://partner.example.com/' }
    const { id } = await send('POST', '/partner/webhook', webhook)
    await send('DELETE', `/partner/webhook/${id}`)
  },
  'the state of the page': get('/_sandbox/state'),
  'the last 100 events': get('/_sandbox/events?limit=100'),
}

function get(path: string): Lane {
  return (send) => send('GET', path)
}

function createCode(send: Send): Promise<Record<string, string>> {
  const tx_id = crypto.randomUUID().replaceAll('-', '')
  return send('POST', IMMEDIATE, {
    dict_key: '12ABC34501DE35',
    tx_id,
    amount: { original: '0.01' },
  })
}

/** Compares requests per second on a store with many rows and on one with few. */
export const bench: Bench = {
  title: `sandbox: a store with ${TRANSFERS.toLocaleString('en-US')} transfers beside one with few`,
  run: async () => {
    // Takes connections, and never responds.
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    // A server that listens on a port has an AddressInfo.
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
    const postgres = await startPostgres()
    const newState = async () => ({ databaseUrl: await postgres.newDatabase() })
    try {
      const onSqlite = await compare('SQLite', url, { file: newFile() }, { file: newFile() })
      const onPostgres = await compare('PostgreSQL', url, await newState(), await newState())
      return [...onSqlite, ...onPostgres]
    } finally {
      await postgres.stop()
      silent.close()
    }
  },
}

async function compare(
  where: string,
  url: string,
  full: StoreOptions,
  empty: StoreOptions,
): Promise<Row[]> {
  await prepare(full, url, TRANSFERS)
  await prepare(empty, url, FEW)
  const rates = await ratesOf(LANES, {
    'a full store': await connectTo(runSandbox(full)),
    'an almost empty store': await connectTo(runSandbox(empty)),
  })
  return rates.flatMap(([title, values]) =>
    rowsOf(`a full store: ${title}, ${where}`, 'requests/s', values),
  )
}

/** Fills a state. Its due deliveries go to `url`, which never responds. */
async function prepare(where: StoreOptions, url: string, transfers: number): Promise<void> {
  const { store, close } = await createApp(where)
  if (store.backend === 'sqlite') {
    // Without fsync: data that a power failure would lose can be filled again.
    await store.read((queries) => queries.run('PRAGMA synchronous = OFF'))
    await store.read((queries) => queries.run('PRAGMA cache_size = -400000'))
  }
  console.error(`${store.backend}: writing ${transfers} transfers ...`)
  const size = {
    transfers,
    codes: transfers / 5,
    accounts: transfers / 10,
    deliveries: transfers / 5,
    url,
  }
  await fill(store, size, Date.now())
  // Autovacuum would do this within a minute.
  if (store.backend === 'postgres') await store.write((queries) => queries.run('ANALYZE'))
  await close()
}
