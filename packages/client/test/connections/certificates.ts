import { readFileSync } from 'node:fs'
import { createPayments, type Fetch } from '@partner-payments/client'
import { Agent, fetch as send } from 'undici'

const { BASE_URL = '', CA_FILE = '', CERT_FILE = '', KEY_FILE = '' } = process.env
const connect = {
  ca: readFileSync(CA_FILE),
  cert: readFileSync(CERT_FILE),
  key: readFileSync(KEY_FILE),
}
const shared = new Agent({ connect })
// For all but reads: without a pool and without HTTP/2.
const fresh = new Agent({ connect, pipelining: 0, allowH2: false })

const withCertificate: Fetch = async (url, init, { method }) => {
  const dispatcher = method === 'GET' ? shared : fresh
  // The types of undici are not those of Node.
  return (await send(url, { ...init, dispatcher } as object)) as Response
}

const auth = { clientKey: 'partner', clientSecret: 'secret' }
export const payments = createPayments({ baseUrl: BASE_URL, auth, fetch: withCertificate })
