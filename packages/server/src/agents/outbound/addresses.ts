import { BlockList, isIP } from 'node:net'

/** What an address leads to. `never`: nothing that an agent's file may mean, such as the metadata of a cloud. */
export type Reach = 'public' | 'private' | 'loopback' | 'never'

const NETWORKS: { readonly [Kind in Exclude<Reach, 'public'>]: readonly string[] } = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'],
  never: [
    ...['0.0.0.0/8', '169.254.0.0/16', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '198.18.0.0/15'],
    ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
    // Addresses of IPv6 that hold one of IPv4 behind a gateway are none that a service has.
    ...['::/128', '::/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/23', '2001:db8::/32', '2002::/16'],
    ...['5f00::/16', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
  ],
}

const lists = Object.entries(NETWORKS).map(([reach, networks]) => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4')
  }
  return { reach: reach as Reach, list }
})

/** What an address of IPv4 or IPv6 leads to; an address of IPv4 in the form of IPv6 is the same address. */
export function reachOf(address: string): Reach {
  const plain = address.replace(/^\[|\]$|%.*$/g, '')
  const family = isIP(plain)
  if (family === 0) return 'never'
  const kind = family === 6 ? 'ipv6' : 'ipv4'
  return lists.find(({ list }) => list.check(plain, kind))?.reach ?? 'public'
}
