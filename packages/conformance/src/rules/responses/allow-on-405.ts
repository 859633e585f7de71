import type { Rule } from '../../engine/rule.ts'
import { headerOf } from '../../model/http.ts'
import { placeOf } from './place.ts'

export const allowOn405: Rule = {
  id: 'allow-on-405',
  phase: 'responses',
  cites: { convention: 'refusals' },
  title: 'Every 405 lists the methods of the path in allow (RFC 9110, section 15.5.6).',
  advice: 'Send allow with every method of the path.',
  judgeResponse: ({ view, request, response }, { operations, validator }) => {
    if (response.status !== 405) return undefined
    // A method without an operation has no view: the finding names the first operation of the path.
    const path = request.path.split('?', 1)[0] ?? ''
    const requested = validator.findOperation(request.method, path)
    const methods = requested.found ? [request.method] : requested.allow
    const found = validator.findOperation(methods[0] ?? '', path)
    const operation = view ?? operations.find((it) => found.found && it.operation === found.operation)
    const place = placeOf({ view: operation })
    const allow = headerOf(response.headers, 'allow')
    if (allow === undefined)
      return [{ ...place, message: 'Expected allow with 405, got none.', about: 'none' }]
    const missing = requested.found
      ? undefined
      : methods.find(
          (it) =>
            !allow
              .toUpperCase()
              .split(',')
              .map((it) => it.trim())
              .includes(it),
        )
    return missing
      ? [{ ...place, message: `Expected ${missing} in allow, got ${allow}.`, about: 'methods' }]
      : []
  },
}
