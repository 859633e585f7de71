import { type Report, refuse } from './error.ts'
import { PIX } from './norm.ts'
import { type BrObject, find, issueAt, issueMissing, readObjects } from './tlv.ts'

/** An object that holds objects. */
export interface Template {
  readonly object: BrObject
  readonly parts: readonly BrObject[]
}

/**
 * The templates that belong to Pix: that of the account, any of 26 to 51, and that of a recurrence, any of 80 to 99
 * (EMVCo MPM, section 4; Manual de Padrões para Iniciação do Pix, 2.8). Others may belong to other arrangements.
 */
export function templatesOfPix(objects: readonly BrObject[], tolerate: Report) {
  let account: Template | undefined
  let recurrence: Template | undefined
  for (const object of objects) {
    const id = Number(object.id)
    if (id < 26 || (id > 51 && id < 80)) continue
    const parts = readParts(object, tolerate)
    if (find(parts, '00')?.value.toLowerCase() !== PIX) continue
    if (id < 80) account = only(account, { object, parts })
    else if (find(parts, '25')) recurrence = only(recurrence, { object, parts })
  }
  if (!account) refuse({ ...issueMissing('26', `a template of ${PIX} in 26 to 51`), code: 'not-pix' })
  return { account, recurrence }
}

/** The template 62, which holds the txid. */
export function extraOf(objects: readonly BrObject[]): Template {
  const object = find(objects, '62') ?? refuse(issueMissing('62', 'a template with 05'))
  return { object, parts: readObjects(object.value, refuse, object) }
}

function only(before: Template | undefined, template: Template): Template {
  if (before) refuse(issueAt(template.object, 'duplicate', `no template of Pix after ${before.object.id}`))
  return template
}

/** What other arrangements write into their templates is no reason to lose a payment: the lenient profile only notes it. */
function readParts(template: BrObject, tolerate: Report): BrObject[] {
  const isOurs = () => template.value.toLowerCase().includes(PIX)
  return readObjects(template.value, (issue) => (isOurs() ? refuse : tolerate)(issue), template)
}
