import { createPayments, type Fetch } from '@partner-payments/client'
import { ProxyAgent, fetch as send } from 'undici'

const { BASE_URL = '', PROXY_URL = '' } = process.env
const shared = new ProxyAgent(PROXY_URL)
// For all but reads: without a pool and without HTTP/2.
const fresh = new ProxyAgent({ uri: PROXY_URL, pipelining: 0, allowH2: false })

const throughProxy: Fetch = async (url, init, { method }) => {
  const dispatcher = method === 'GET' ? shared : fresh
  // The types of undici are not those of Node.
  return (await send(url, { ...init, dispatcher } as object)) as Response
}

const auth = { clientKey: 'partner', clientSecret: 'secret' }
export const payments = createPayments({ baseUrl: BASE_URL, auth, fetch: throughProxy })
