import { words } from '../hostile/words.ts'

/**
 * Addresses that deliveries may not go to: the first, last and some middle ones of every
 * special-purpose block.
 */
export const notPublic = [
  '0.0.0.0',
  '0.0.0.1',
  '0.255.255.255',
  '10.0.0.0',
  '10.1.2.3',
  '10.255.255.255',
  '100.64.0.0',
  '100.100.100.200',
  '100.127.255.255',
  '127.0.0.0',
  '127.0.0.1',
  '127.255.255.255',
  '168.63.129.16',
  '169.254.0.0',
  '169.254.169.254',
  '169.254.255.255',
  '172.16.0.0',
  '172.17.0.1',
  '172.31.255.255',
  '192.0.0.0',
  '192.0.0.192',
  '192.0.0.255',
  '192.0.2.0',
  '192.0.2.255',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.0',
  '192.88.99.255',
  '192.168.0.0',
  '192.168.1.1',
  '192.168.255.255',
  '192.175.48.1',
  '198.18.0.0',
  '198.19.255.255',
  '198.51.100.0',
  '198.51.100.255',
  '203.0.113.0',
  '203.0.113.255',
  '224.0.0.0',
  '224.0.0.251',
  '239.255.255.255',
  '240.0.0.0',
  '250.1.2.3',
  '255.255.255.254',
  '255.255.255.255',
  '::',
  '::1',
  '::2',
  '::7f00:1',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  '0:0:0:0:0:ffff:a9fe:a9fe',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '64:ff9b:1:ffff:ffff:ffff:10.0.0.1',
  '100::',
  '100::1',
  '100:0:0:1::1',
  '2001::',
  '2001::1',
  '2001:0:7f00:1::',
  '2001:1::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001:db8::',
  '2001:db8::1',
  '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
  '2002::',
  '2002:7f00:1::',
  '2002:0a00:0001::1',
  '2620:4f:8000::1',
  '3ffe::1',
  '3fff::',
  '3fff:fff::1',
  '5f00::',
  '5f00::1',
  '4000::1',
  '1fff:ffff::1',
  'fc00::',
  'fc00::1',
  'fd00:ec2::254',
  'fdff::1',
  'fe80::',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fec0::',
  'feff::1',
  'ff00::',
  'ff02::1',
  'ff0e::1',
  'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
]

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
  '',
  ' https://127.0.0.1/ ',
  'https://127.\n0.0.1/',
  'https://ⓛocalhost/',
  'https://local\thost/',
]
