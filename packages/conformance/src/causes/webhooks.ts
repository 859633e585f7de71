import { isIP } from 'node:net'
import { stringAt } from '../contract/json.ts'
import { buildApplicableCause, type Cause, type RequestContext } from './cause.ts'

/**
 * Lists the reason to refuse the URL of a webhook: it is without https, or in a private network, such as
 * `https://192.168.0.7/`. None of other URLs, and of the machine itself.
 */
export function listUrlCauses({ exchange }: RequestContext): readonly Cause[] {
  const text = stringAt(exchange.requestBody, '/url')
  if (text === undefined || !URL.canParse(text)) return []

  const { protocol, hostname } = new URL(text)
  // A sandbox may deliver to the machine that it runs on, also without https.
  if (isLoopback(hostname)) return []
  if (protocol === 'http:') return [buildApplicableCause('url_not_allowed', 'a URL without https')]
  if (isPrivate(hostname))
    return [buildApplicableCause('url_not_allowed', 'a URL in a private network')]
  return []
}

/** Whether a host is the machine itself. */
function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '[::1]') return true
  return host.startsWith('127.') || host.startsWith('[::ffff:7f')
}

/** Private networks (RFC 1918) and addresses of one link (RFC 3927). */
const PRIVATE_IPV4 = ['10.', '192.168.', '169.254.']
/** Unique local addresses (RFC 4193), and those of one link (RFC 4291). */
const PRIVATE_IPV6 = ['[fc', '[fd', '[fe8', '[fe9', '[fea', '[feb']

/** Whether a host is an address, or a name, of a private network. */
function isPrivate(host: string): boolean {
  if (host.startsWith('[')) return PRIVATE_IPV6.some((prefix) => host.startsWith(prefix))

  if (isIP(host) === 4) {
    const [first, second] = host.split('.').map(Number)
    // 172.16.0.0/12 (RFC 1918).
    const isOf172 = first === 172 && second !== undefined && second >= 16 && second <= 31
    return isOf172 || PRIVATE_IPV4.some((prefix) => host.startsWith(prefix))
  }

  // The name that ICANN keeps for private networks.
  return host.endsWith('.internal')
}
