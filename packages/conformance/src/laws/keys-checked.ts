import { nodeOf } from '../contract/document.ts'
import type { Law } from '../law.ts'
import type { Scene } from '../run/scene.ts'
import type { Exchange } from '../wire/exchange.ts'

export const keysChecked: Law = {
  id: 'keys-checked',
  phase: 'lifecycles',
  question: 'key-forms',
  needs: ['checkKey'],
  stateful: true,
  title: 'A look-up shows the kind of the key and of its owner.',
  advice: 'Derive dict_key_type from the form of the key, and owner_type from the document of its owner.',
  run: tryKinds,
}

/** The keys that the contract shows, and two of companies: whoever knows them says of what kind they are. */
async function tryKinds(scene: Scene): Promise<void> {
  const view = scene.contract.operation('checkKey')
  const shown = view.examples.map((_, example) => scene.accepted(view.id, { example }))
  const companies = COMPANIES.map((dict_key) => scene.accepted(view.id, { input: { body: { dict_key } } }))
  for (const checked of await Promise.all([...shown, ...companies])) if (checked) isOfItsKind(scene, checked)
}

const COMPANIES = ['11222333000181', '12ABC34501DE35']

/** What keys look like, by the answer to `key-forms`. Nothing else looks like two of them. */
const FORMS: Readonly<Record<string, RegExp>> = {
  CPF: /^\d{11}$/,
  CNPJ: /^[\dA-Z]{12}\d\d$/,
  PHONE: /^\+/,
  EMAIL: /@/,
  EVP: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
}

function isOfItsKind(scene: Scene, checked: Exchange): void {
  const { dict_key, dict_key_type, owner_type, owner_document } = nodeOf(checked.body)
  const kind = Object.keys(FORMS).find((it) => FORMS[it]?.test(String(dict_key)))
  if (kind === undefined || dict_key_type === undefined) return
  const isIt = dict_key_type === kind
  scene.expect(checked, isIt ? undefined : `Expected the kind ${kind} of such a key, got ${dict_key_type}.`, {
    about: 'kind',
    question: 'key-kinds',
  })
  // A CPF is a person's, and shown in part; a CNPJ is a company's, and shown whole.
  const owner = String(owner_document).startsWith('*') ? 'NATURAL_PERSON' : 'LEGAL_PERSON'
  const message = `Expected an owner of the kind ${owner} beside such a document, got ${owner_type}.`
  scene.expect(checked, owner_type === owner ? undefined : message, {
    about: 'owner',
    question: 'owner-kinds',
  })
}
