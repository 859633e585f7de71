import { stringAt } from '../../contract/json.ts'
import type { Input } from '../../send/requests.ts'
import { validBody } from '../bodies.ts'
import { invalidCodes, sameCodes, withKey, withoutAmount } from '../code-texts.ts'
import type { PlanContext } from '../plan.ts'
import { EXAMPLE } from '../valid-requests.ts'
import { NOBODYS_KEYS } from './keys.ts'
import { type Edit, editsOfField, sendEdit, tryEdits } from './try-edits.ts'

/**
 * Sends payment codes to checkCode: codes that the service must refuse, then other notations of a valid
 * static code, the code of a person, and one that leaves the amount to the payer.
 */
export async function checkCodes(context: PlanContext): Promise<void> {
  const options = { example: EXAMPLE.staticCode }
  const valid = await tryEdits(context, {
    operation: 'checkCode',
    options,
    mustRefuse: invalidCodeEdits,
  })
  // The service refused even the valid code.
  if (!valid) return

  const code = readEmv(valid.requestToEdit)
  for (const edit of editsOfField('/emv', sameCodes(code)))
    await sendEdit(context, 'checkCode', valid, edit)

  // The check of a person's code must show the tax ID masked.
  const key = await checkKeyOfPerson(context)
  const otherCodes = [withKey(code, key), withoutAmount(code)]
  for (const emv of otherCodes) {
    if (emv !== undefined) await context.send('checkCode', { body: { emv } })
  }
}

/** Checks the key of the first example, which is that of a person. Returns the key. */
async function checkKeyOfPerson(context: PlanContext): Promise<string> {
  const { dict_key } = validBody(context, 'checkKey')
  await context.send('checkKey', { body: { dict_key } })
  return String(dict_key)
}

/** Edits of the code in a request: it cannot be decoded, or nobody can be paid with it. */
export function invalidCodeEdits(input: Input): Edit[] {
  const code = readEmv(input)
  return editsOfField('/emv', [...invalidCodes(code), ...codesOfNobody(code)])
}

/** Keys in no form of a key: a telephone without its +, a CNPJ in small letters, a capital e-mail. */
const KEYS_WITHOUT_FORM = [' 5561912345678', 'qx73bw92000102', 'Fulano@Example.com']

/** Static codes of keys that nobody has. */
export function codesOfNobody(code: string): string[] {
  const codes = [...KEYS_WITHOUT_FORM, ...NOBODYS_KEYS].map((key) => withKey(code, key))
  return codes.filter((each) => each !== undefined)
}

/** The payment code in a request; empty if it has none. */
export function readEmv({ body }: Input): string {
  return stringAt(body, '/emv') ?? ''
}
