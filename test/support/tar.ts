/** A tar archive of one file. @param magic of POSIX, or none, as the oldest writers */
export function tarOf(name: string, text: string, magic = 'ustar\x0000'): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\x000001750\x000001750\x00', 100);
  header.write(`${text.length.toString(8).padStart(11, '0')}\x0014700000000\x00`, 124);
  header.fill(' ', 148, 156);
  header.write('0', 156);
  header.write(magic, 257, 'latin1');
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\x00 `, 148);
  const data = Buffer.alloc(Math.ceil(text.length / 512) * 512);
  data.write(text);
  return Buffer.concat([header, data, Buffer.alloc(1024)]);
}
