import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Verifies and prints each delivery, with the JDK alone.
 *
 * WEBHOOK_SECRETS: one or two secrets, with a space between them. PORT: 3000 by default.
 */
class Receive {
    static final int LIMIT = 131_072;

    public static void main(String[] arguments) throws IOException {
        List<byte[]> secrets = readSecrets(System.getenv().getOrDefault("WEBHOOK_SECRETS", ""));
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
        // Seconds for a whole request, after which the connection is closed.
        System.setProperty("sun.net.httpserver.maxReqTime", "15");
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/", exchange -> receive(exchange, secrets));
        // Without it, there is one thread, which a sender that stops in its body holds.
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
    }

    static void receive(HttpExchange exchange, List<byte[]> secrets) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(LIMIT + 1);
        boolean isGenuine = body.length <= LIMIT && isGenuine(exchange.getRequestHeaders(), body, secrets);
        if (isGenuine) {
            // Store the event under its webhook-id, and work on it after the response.
            System.out.println(new String(body, StandardCharsets.UTF_8));
        }
        exchange.sendResponseHeaders(isGenuine ? 204 : 400, -1);
        exchange.close();
    }

    static boolean isGenuine(Headers headers, byte[] body, List<byte[]> secrets) {
        String timestamp = valueOf(headers, "webhook-timestamp");
        boolean isNumber = timestamp.matches("[0-9]{1,12}");
        if (!isNumber) return false;
        long now = System.currentTimeMillis() / 1000;
        if (Math.abs(now - Long.parseLong(timestamp)) > 300) return false;

        ByteArrayOutputStream signed = new ByteArrayOutputStream();
        signed.writeBytes((valueOf(headers, "webhook-id") + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        signed.writeBytes(body);
        for (byte[] secret : secrets) {
            byte[] expected = signatureOf(signed.toByteArray(), secret).getBytes(StandardCharsets.UTF_8);
            for (String given : valueOf(headers, "webhook-signature").split(" ")) {
                if (MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), expected)) return true;
            }
        }
        return false;
    }

    static String signatureOf(byte[] signed, byte[] secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    static List<byte[]> readSecrets(String text) {
        List<byte[]> secrets = Arrays.stream(text.trim().split(" +"))
            .map(secret -> Base64.getDecoder().decode(secret.replaceFirst("^whsec_", "")))
            .toList();
        // With an empty secret, everybody could sign.
        boolean isPart = secrets.stream().anyMatch(secret -> secret.length < 24);
        if (isPart) {
            throw new IllegalArgumentException("WEBHOOK_SECRETS needs whole secrets. `listen --show-secret` prints one.");
        }
        return secrets;
    }

    static String valueOf(Headers headers, String name) {
        String value = headers.getFirst(name);
        return value == null ? "" : value;
    }
}
