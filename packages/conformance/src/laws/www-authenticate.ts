import type { Law } from '../law.ts'

export const wwwAuthenticate: Law = {
  id: 'www-authenticate',
  phase: 'every answer',
  question: 'errors',
  title: 'Every 401 says in www-authenticate which scheme it expects (RFC 9110, section 15.5.2).',
  advice: 'Send www-authenticate with the scheme.',
  everyAnswer: ({ view, reply }) => {
    if (reply.status !== 401) return undefined
    const message = 'Expected www-authenticate beside 401, got none.'
    const broken = { operation: view?.id, contract: view?.pointer ?? '', message }
    return reply.headers['www-authenticate'] === undefined ? [broken] : []
  },
}
