import { isIPv6 } from 'node:net'
import { words } from '../hostile/random.ts'
import { notPublic } from './addresses.ts'

/** URLs whose host the URL Standard reads as a private address, or that are never allowed. */
export const refusedUrls = [
  ...words(`
    https://127.0.0.1/ https://127.1/ https://127.0.1/ https://2130706433/ https://0x7f000001/
    https://0x7f.0.0.1/ https://0x7f.1/ https://0177.0.0.1/ https://017700000001/ https://0x7F.0x0.0x0.0x1/
    https://127.0.0.1./ https://%31%32%37.0.0.1/ https://127%2e0%2e0%2e1/ https://127.0.0.1:8443/
    https:127.0.0.1/ https:/127.0.0.1/ HTTPS://127.0.0.1/ https://0/ https://0.0.0.0/ https://2852039166/
    https://0xa9fea9fe/ https://169.254.43518/ https://10.1/ https://192.168.1/ https://172.1048577/
    https://[::1]/ https://[::]/ https://[0:0:0:0:0:0:0:1]/ https://[::127.0.0.1]/
    https://[::ffff:127.0.0.1]/ https://[::ffff:7f00:1]/ https://[0000:0000:0000:0000:0000:ffff:7f00:0001]/
    https://[64:ff9b::127.0.0.1]/ https://[2002:7f00:1::]/ https://[fd00:ec2::254]/ https://[fe80::1]:8443/
    https://localhost/ https://LOCALHOST/ https://localhost./ https://localhost../ https://%6c%6f%63alhost/
    https://a.localhost/ https://printer.local/ https://metadata.google.internal/
    https://localhost.localdomain/ https://router.home.arpa/ https://intranet/ https://redis:6380/ https://./
    http://hooks.loja.teste/ http://127.0.0.1/ ftp://hooks.loja.teste/ file:///etc/passwd
    gopher://127.0.0.1:6379/_ data:text/plain,x javascript:alert(1) unix:/run/docker.sock
    https://user@hooks.loja.teste/ https://user:pass@hooks.loja.teste/ https://:pass@hooks.loja.teste/
    https://8.8.8.8@127.0.0.1/ https://hooks.loja.teste/#part https://hooks.loja.teste/#
    https://hooks.loja.teste:22/ https://hooks.loja.teste:80/ https://hooks.loja.teste:1023/
    https://hooks.loja.teste:0/ https://hooks.loja.teste:6667/ https://hooks.loja.teste:65536/
    https://256.1.1.1/ https://1.2.3.4.5/ https://[fe80::1%25eth0]/ https://hooks.loja.teste%00/ https://
    https:/// //hooks.loja.teste/ /pix hooks.loja.teste`),
  'https://１２７.0.0.1/',
  'https://①②⑦.⓪.⓪.①/',
  'https://127。0。0。1/',
  'https:\\\\127.0.0.1\\',
  ' https://127.0.0.1/ ',
  'https://127.\n0.0.1/',
  'https://ⓛocalhost/',
  'https://local\thost/',
  '',
]

/** Each address that is not public, as the host of a URL. A URL cannot contain a zone. */
export const refusedLiterals = notPublic
  .filter((address) => !address.includes('%'))
  .map((address) => (isIPv6(address) ? `https://[${address}]/` : `https://${address}/`))
