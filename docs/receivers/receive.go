// Verifies and prints each delivery, with the standard library alone.
//
// WEBHOOK_SECRETS: one or two secrets, with a space between them. PORT: 3000 by default.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const wanted = "WEBHOOK_SECRETS needs whole secrets. `listen --show-secret` prints one."

func isGenuine(headers http.Header, body []byte, secrets [][]byte) bool {
	timestamp := headers.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}

	signed := headers.Get("webhook-id") + "." + timestamp + "." + string(body)
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte(signed))
		expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		for _, given := range strings.Fields(headers.Get("webhook-signature")) {
			if hmac.Equal([]byte(given), []byte(expected)) {
				return true
			}
		}
	}
	return false
}

func readSecrets() (secrets [][]byte) {
	for _, text := range strings.Fields(os.Getenv("WEBHOOK_SECRETS")) {
		encoded := strings.TrimRight(strings.TrimPrefix(text, "whsec_"), "=")
		secret, err := base64.RawStdEncoding.DecodeString(encoded)
		// With an empty secret, everybody could sign.
		if err != nil || len(secret) < 24 {
			log.Fatal(wanted)
		}
		secrets = append(secrets, secret)
	}
	if len(secrets) == 0 {
		log.Fatal(wanted)
	}
	return secrets
}

func main() {
	secrets := readSecrets()
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 131_072))
		if err != nil || !isGenuine(request.Header, body, secrets) {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		// Store the event under its webhook-id, and work on it after the response.
		var event struct{ Type string }
		if json.Unmarshal(body, &event) == nil {
			fmt.Println(event.Type)
		}
		response.WriteHeader(http.StatusNoContent)
	})
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	// For a whole request, after which the connection is closed.
	server := http.Server{Addr: "127.0.0.1:" + port, ReadTimeout: 15 * time.Second}
	log.Fatal(server.ListenAndServe())
}
