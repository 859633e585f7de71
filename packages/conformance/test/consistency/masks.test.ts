import { expectFindingsWith, lookUp } from '../story.ts'
import { CONSISTENT } from './steps.ts'

const MASKED = { owner_document: '***.444.777-**' }

expectFindingsWith(CONSISTENT, [
  {
    title: 'it finds the document of an owner that a look-up masks and shows whole beside',
    story: [lookUp({ ...MASKED, owner: { tax_id: '111.444.777-35' } })],
    finds: ['access-consistent@checkKey'],
  },
  {
    title: 'it finds nothing in a document that is masked at each place',
    story: [lookUp({ ...MASKED, owner: { tax_id: '***444777**' } })],
    finds: [],
  },
  {
    title: 'it finds nothing in the document of somebody else beside that of an owner',
    story: [lookUp({ ...MASKED, agent: { tax_id: '12345678909' } })],
    finds: [],
  },
  {
    title: 'it finds nothing in a document that is the key itself',
    story: [
      lookUp(
        { ...MASKED, dict_key: '11144477735', key: '11144477735' },
        { sent: { dict_key: '11144477735' } },
      ),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in an account whose number is the document of its owner',
    story: [lookUp({ ...MASKED, account_number: '11144477735' })],
    finds: [],
  },
  {
    title: 'it finds nothing in a document that a look-up does not mask',
    story: [lookUp({ owner_document: '11144477735', tax_id: '11144477735' })],
    finds: [],
  },
])
