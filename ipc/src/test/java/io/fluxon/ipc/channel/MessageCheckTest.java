package io.fluxon.ipc.channel;

import io.fluxon.codecs.control.GroupSizeEncodingDecoder;
import io.fluxon.codecs.control.KeepAliveEncoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PublishResponseEncoder;
import io.fluxon.codecs.control.PutCommitResultEncoder;
import io.fluxon.codecs.control.PutStartRequestDecoder;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.sbe.MessageDecoderFlyweight;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import javax.xml.parsers.DocumentBuilderFactory;

import static org.assertj.core.api.Assertions.assertThat;

class MessageCheckTest
{
    private static final String CODECS = "io.fluxon.codecs.control.";

    private final SplittableRandom random = new SplittableRandom(7);
    private final MessageCheck check = new MessageCheck();

    @Test
    void shouldKnowTheShapeOfEveryMessageOfTheSchema() throws Exception
    {
        int messages = 0;
        for (final Element message : schemaMessages())
        {
            final int templateId = Integer.parseInt(message.getAttribute("id"));
            final int[] shape = MessageShapes.of(templateId);
            if ("MessagePart".equals(message.getAttribute("name")))
            {
                assertThat(shape).isNull();
                continue;
            }

            assertThat(shape).as(message.getAttribute("name")).isEqualTo(shapeOf(message));
            messages++;
        }

        int shapes = 0;
        for (int i = 0; i < MessageShapes.MAX_TEMPLATES; i++)
        {
            shapes += null == MessageShapes.of(i) ? 0 : 1;
        }
        assertThat(shapes).isEqualTo(messages).isGreaterThan(30);
    }

    @Test
    void shouldTakeAWholeMessageAndShowItInExactBounds()
    {
        final UnsafeBuffer message = TestMessages.putStart(77, 3, 20, random);
        final UnsafeBuffer larger = new UnsafeBuffer(new byte[message.capacity() + 100]);
        larger.putBytes(40, message, 0, message.capacity());

        assertThat(check.isValid(larger, 40, message.capacity())).isTrue();
        assertThat(check.message().capacity()).isEqualTo(message.capacity());
        assertThat(check.templateId()).isEqualTo(PutStartRequestDecoder.TEMPLATE_ID);
        assertThat(check.generation()).isEqualTo(7);
        assertThat(check.sessionId()).isEqualTo(11);
        assertThat(check.correlationId()).isEqualTo(77);
        assertThat(check.malformed()).isZero();
    }

    @Test
    void shouldRefuseAMessageThatIsCutAnywhere()
    {
        final UnsafeBuffer message = TestMessages.putStart(77, 3, 20, random);
        for (int length = 0; length < message.capacity(); length++)
        {
            assertThat(check.isValid(message, 0, length)).as("length %d", length).isFalse();
            assertThat(check.hasPreamble()).isEqualTo(length >= OutboundQueue.MIN_MESSAGE_LENGTH);
            assertThat(check.correlationId()).isEqualTo(check.hasPreamble() ? 77 : 0);
        }

        assertThat(check.malformed()).isEqualTo(message.capacity());
    }

    @Test
    void shouldRefuseAnotherHeader()
    {
        for (int field = 0; field < MessageHeaderEncoder.ENCODED_LENGTH; field += Short.BYTES)
        {
            final UnsafeBuffer message = TestMessages.putStart(77, 1, 20, random);
            message.putShort(field, (short) (message.getShort(field) + 1), ByteOrder.LITTLE_ENDIAN);
            assertThat(check.isValid(message, 0, message.capacity())).as("field at %d", field).isFalse();
        }
    }

    @Test
    void shouldRefuseAGroupOfAnotherBlockLength()
    {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final PutCommitResultEncoder encoder = new PutCommitResultEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).generation(1).planId(3);
        encoder.resultsCount(2).next().code(0).next().code(0);
        final int length = MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
        final int group = MessageHeaderEncoder.ENCODED_LENGTH + PutCommitResultEncoder.BLOCK_LENGTH;
        assertThat(check.isValid(buffer, 0, length)).isTrue();

        buffer.putShort(group, (short) 0, ByteOrder.LITTLE_ENDIAN);
        assertThat(check.isValid(buffer, 0, length)).isFalse();
        buffer.putShort(group, (short) 4, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(group + Short.BYTES, (short) 0xFFFF, ByteOrder.LITTLE_ENDIAN);
        assertThat(check.isValid(buffer, 0, length)).isFalse();
    }

    @Test
    void shouldRefuseAPartThatWasNotPutTogether()
    {
        final UnsteadyChannel channel = new UnsteadyChannel(1, 1024, 0, random);
        final UnsafeBuffer message = TestMessages.putStart(1, 50, 100, random);
        new OutboundQueue(channel, 65_536).send(message, 0, message.capacity());
        final byte[] part = channel.inFlight.poll();

        assertThat(check.isValid(new UnsafeBuffer(part), 0, part.length)).isFalse();
    }

    @Test
    @Tag("BOUND-1")
    void shouldLetNoMutatedMessageFailLater() throws Exception
    {
        final List<UnsafeBuffer> seeds = seeds();
        final MessageDecoderFlyweight[] decoders = decoders();
        final List<String> failures = new ArrayList<>();
        final MessageAssembler assembler = new MessageAssembler(4096, 8, (connectionId, buffer, offset, length) ->
        {
            if (check.isValid(buffer, offset, length))
            {
                final MessageDecoderFlyweight decoder = decoders[check.templateId()];
                decoder.wrap(check.message(), MessageHeaderEncoder.ENCODED_LENGTH, decoder.sbeBlockLength(), 1);
                if (decoder.toString().isEmpty())
                {
                    failures.add("nothing decoded");
                }
            }
        });

        final int iterations = TestMessages.iterations(100_000);
        for (int i = 0; i < iterations; i++)
        {
            final UnsafeBuffer seed = seeds.get(random.nextInt(seeds.size()));
            final UnsafeBuffer mutant = mutate(seed);
            try
            {
                assembler.onMessage(random.nextInt(10), mutant, 0, mutant.capacity());
            }
            catch (final RuntimeException ex)
            {
                throw new AssertionError("iteration " + i + " of seed 7", ex);
            }
        }

        assertThat(failures).isEmpty();
        assertThat(check.malformed()).isBetween(iterations / 50L, iterations * 2L);
        assertThat(assembler.incomplete()).isLessThanOrEqualTo(8);
    }

    @Test
    @Tag("API-1")
    void shouldTakeAsKeyWhatTheJdkDecodesAsUtf8()
    {
        final int[] firsts = {0, 'a', 0x7F, 0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xED, 0xEE, 0xEF, 0xF0, 0xF1,
            0xF4, 0xF5, 0xFF};
        final int[] others = {0, 'a', 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF};
        final byte[] key = new byte[16];
        for (int i = 0; i < TestMessages.iterations(100_000); i++)
        {
            final int length = 1 + random.nextInt(16);
            for (int j = 0; j < length; j++)
            {
                key[j] = (byte) (random.nextInt(4) < 2 ? 'x' : random.nextBoolean() ?
                    firsts[random.nextInt(firsts.length)] : others[random.nextInt(others.length)]);
            }
            assertThat(MessageCheck.isKey(new UnsafeBuffer(key), 0, length, 512)).isEqualTo(decodes(key, length));
        }
    }

    @Test
    @Tag("API-1")
    void shouldBoundTheLengthOfAKey()
    {
        final UnsafeBuffer key = new UnsafeBuffer(new byte[513]);

        assertThat(MessageCheck.isKey(key, 0, 0, 512)).isFalse();
        assertThat(MessageCheck.isKey(key, 0, 1, 512)).isTrue();
        assertThat(MessageCheck.isKey(key, 0, 512, 512)).isTrue();
        assertThat(MessageCheck.isKey(key, 0, 513, 512)).isFalse();
    }

    private static boolean decodes(final byte[] bytes, final int length)
    {
        try
        {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length));
            return true;
        }
        catch (final CharacterCodingException ex)
        {
            return false;
        }
    }

    private UnsafeBuffer mutate(final UnsafeBuffer seed)
    {
        final int cut = 0 == random.nextInt(4) ? random.nextInt(seed.capacity() + 1) : seed.capacity();
        final UnsafeBuffer mutant = new UnsafeBuffer(new byte[cut]);
        mutant.putBytes(0, seed, 0, cut);
        for (int i = random.nextInt(4); i > 0 && cut > 0; i--)
        {
            final int at = random.nextInt(0 == random.nextInt(2) ? cut : Math.min(cut, 100));
            mutant.putByte(at, (byte) switch (random.nextInt(4))
            {
                case 0 -> 0;
                case 1 -> 0xFF;
                case 2 -> mutant.getByte(at) ^ 1 << random.nextInt(8);
                default -> random.nextInt(256);
            });
        }

        return mutant;
    }

    private List<UnsafeBuffer> seeds()
    {
        final List<UnsafeBuffer> seeds = new ArrayList<>();
        seeds.add(TestMessages.putStart(1, 0, 10, random));
        seeds.add(TestMessages.putStart(1, 4, 30, random));

        final UnsafeBuffer keepAlive = new UnsafeBuffer(new byte[64]);
        final KeepAliveEncoder keepAliveEncoder = new KeepAliveEncoder();
        keepAliveEncoder.wrapAndApplyHeader(keepAlive, 0, new MessageHeaderEncoder()).generation(1);
        keepAliveEncoder.unansweredCount(1).next().requestId(7);
        keepAliveEncoder.unfinishedCount(0);
        seeds.add(keepAlive);

        final UnsafeBuffer publish = new UnsafeBuffer(new byte[256]);
        final PublishResponseEncoder encoder = new PublishResponseEncoder();
        encoder.wrapAndApplyHeader(publish, 0, new MessageHeaderEncoder()).generation(1);
        encoder.resultsCount(3).next().code(0).next().code(-123).next().code(-1005);
        final byte[] exact = new byte[MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength()];
        publish.getBytes(0, exact);
        seeds.add(new UnsafeBuffer(exact));

        final UnsteadyChannel channel = new UnsteadyChannel(1, 256, 0, random);
        final UnsafeBuffer large = TestMessages.putStart(1, 10, 50, random);
        new OutboundQueue(channel, 65_536).send(large, 0, large.capacity());
        channel.inFlight.forEach((part) -> seeds.add(new UnsafeBuffer(part)));

        return seeds;
    }

    private static MessageDecoderFlyweight[] decoders() throws Exception
    {
        final MessageDecoderFlyweight[] decoders = new MessageDecoderFlyweight[MessageShapes.MAX_TEMPLATES];
        for (final Element message : schemaMessages())
        {
            decoders[Integer.parseInt(message.getAttribute("id"))] = (MessageDecoderFlyweight) Class
                .forName(CODECS + message.getAttribute("name") + "Decoder").getDeclaredConstructor().newInstance();
        }

        return decoders;
    }

    private static List<Element> schemaMessages() throws Exception
    {
        try (InputStream schema = GroupSizeEncodingDecoder.class.getResourceAsStream(
            "/io/fluxon/codecs/control.xml"))
        {
            final NodeList nodes = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(schema)
                .getElementsByTagName("sbe:message");
            final List<Element> messages = new ArrayList<>();
            for (int i = 0; i < nodes.getLength(); i++)
            {
                messages.add((Element) nodes.item(i));
            }

            return messages;
        }
    }

    private static int[] shapeOf(final Element message) throws Exception
    {
        final String decoder = CODECS + message.getAttribute("name") + "Decoder";
        final List<Integer> shape = new ArrayList<>();
        shape.add(Class.forName(decoder).getField("BLOCK_LENGTH").getInt(null));
        for (Node node = message.getFirstChild(); null != node; node = node.getNextSibling())
        {
            if ("data".equals(node.getNodeName()))
            {
                shape.add(MessageShapes.DATA);
            }
            else if ("group".equals(node.getNodeName()))
            {
                final Element group = (Element) node;
                final String name = group.getAttribute("name");
                final Class<?> type = Class.forName(
                    decoder + "$" + Character.toUpperCase(name.charAt(0)) + name.substring(1) + "Decoder");
                final int blockLength = (int) type.getMethod("sbeBlockLength").invoke(null);
                assertThat(group.getElementsByTagName("group").getLength()).as("groups within groups").isZero();
                shape.add(blockLength << 8 | group.getElementsByTagName("data").getLength());
            }
        }

        return shape.stream().mapToInt(Integer::intValue).toArray();
    }
}
