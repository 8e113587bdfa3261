package io.fluxon.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PublishRequestEncoder;
import io.fluxon.codecs.control.PutStartRequestEncoder;
import io.fluxon.codecs.control.StatusResponseEncoder;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class MessageTextTest
{
    private final MessageText text = new MessageText();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8192]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();

    @Test
    void shouldShowFieldsGroupsAndKeys()
    {
        final PutStartRequestEncoder request = new PutStartRequestEncoder().wrapAndApplyHeader(buffer, 0, header);
        request.generation(1000).sessionId(2).correlationId(3).valueLength(700).pathDepth(-1);
        request.options().clear().rejectIfExistSameKey(true).writeThrough(true);
        request.atomicGroupsCount(2).next().keyCount(1).next().keyCount(2);
        final PutStartRequestEncoder.KeysEncoder keys = request.keysCount(20);
        for (int i = 0; i < 20; i++)
        {
            keys.next().replicaWish((short)0).putKey(bytes("page_" + i), 0, ("page_" + i).length());
        }
        request.putParentKey(bytes("root"), 0, 4);

        assertThat(shown(request.encodedLength()))
            .startsWith("PutStartRequest generation=1000 sessionId=2 correlationId=3 valueLength=700 " +
                "options=rejectIfExistSameKey|writeThrough pathDepth=-1")
            .contains(" atomicGroups=[keyCount=1 keyCount=2] keys=[key=page_0 key=page_1 ")
            .endsWith("key=page_15 and 4 more] parentKey=root");
    }

    @Test
    void shouldShowCompositesInTheirParts()
    {
        final PublishRequestEncoder request = new PublishRequestEncoder().wrapAndApplyHeader(buffer, 0, header);
        request.atomicGroupsCount(0);
        final PublishRequestEncoder.EntriesEncoder entry = request.entriesCount(1).next();
        entry.backing().grantId(1).slotIndex(2).slotSize(4096).useCounter(5).slotOffset(8192);
        entry.putKey(bytes("k"), 0, 1);

        assertThat(shown(request.encodedLength())).contains("backing=1/2/4096/5/8192").endsWith("key=k]");
    }

    @Test
    void shouldShowAMessageThatEndsEarlyAsFarAsItGoes()
    {
        final StatusResponseEncoder response = new StatusResponseEncoder().wrapAndApplyHeader(buffer, 0, header);
        response.status(112).message("is not here");

        assertThat(shown(response.encodedLength())).isEqualTo("StatusResponse status=112 message='is not here'");
        assertThat(shown(response.encodedLength() - 4)).isEqualTo("StatusResponse status=112 ... ends here, after " +
            (MessageHeaderEncoder.ENCODED_LENGTH + response.encodedLength() - 4) + " bytes");
    }

    @Test
    void shouldShowWhatIsNoMessage()
    {
        header.wrap(buffer, 0).templateId(250);

        assertThat(shown(12)).isEqualTo("template 250, 20 bytes");
        assertThat(text.of(new UnsafeBuffer(new byte[3]))).isEqualTo("3 bytes");
    }

    private static byte[] bytes(final String key)
    {
        return key.getBytes(StandardCharsets.UTF_8);
    }

    private String shown(final int encodedLength)
    {
        return text.of(new UnsafeBuffer(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + encodedLength));
    }
}
