import {
  cancel,
  charge,
  charges,
  createCharge,
  expectFindingsWith,
  pass,
  signIn,
} from '../story.ts'
import {
  BY_CUSTOMER,
  CONSISTENT,
  LATER,
  listForPartner,
  MISSING,
  REFUSED,
  TEN_CHARGES,
  users,
} from './steps.ts'

expectFindingsWith(CONSISTENT, [
  {
    title: 'it finds it where the list comes later',
    story: [createCharge({}, BY_CUSTOMER), cancel({}, MISSING), listForPartner],
    finds: ['access-consistent@listImmediateQrCodes'],
  },
  {
    title: 'it finds nothing in a record that may be seen, and not cancelled',
    story: [
      createCharge({}, BY_CUSTOMER),
      listForPartner,
      cancel({}, { refused: 'forbidden', status: 403 }),
    ],
    finds: [],
  },
  {
    title: 'it finds a token that ends within its shortest lifetime',
    story: [users({}), pass(1_500), users(REFUSED)],
    finds: ['access-consistent@listUsers'],
  },
  {
    title: 'it finds nothing in a list that shows an expired charge no more',
    story: [
      TEN_CHARGES,
      charges('?limit=10'),
      pass(90_000_000),
      signIn('partner'),
      charges('?limit=20', { shown: () => [] }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in a list to which a charge was added during the walk',
    story: [
      TEN_CHARGES,
      LATER,
      charges('?limit=10'),
      charges('?limit=5', { shown: (all) => all.slice(0, 5), next: 'two' }),
      charge,
      charges('?limit=5&cursor=two', { shown: (all) => all.slice(7) }),
    ],
    finds: [],
  },
])
