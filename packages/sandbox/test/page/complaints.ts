import type { Page } from '@partner-payments/testing'

/** The errors, CSP violations and requests to other hosts that a browser reports. */
export function complaintsOf(page: Page, url: string): string[] {
  const found: string[] = []
  const isOurs = (address: string) => address.startsWith(`${url}/`) || address.startsWith('data:')
  page.on('request', (request) => isOurs(request.url()) || found.push(`asked for ${request.url()}`))
  page.on('console', (message) => message.type() === 'error' && found.push(message.text()))
  page.on('pageerror', (error) => found.push(String(error)))
  return found
}
